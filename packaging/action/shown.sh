# shown.sh, sourced: texts from a pull request in the log. GitHub reads "::COMMAND::" at the beginning of a line and
# "##[COMMAND]" anywhere as commands, such as one that hides all later findings.

# Prints a file name with every byte as \xNN except ASCII letters, digits, ".", "_", "/", "-" and the space.
shown() {
  local LC_ALL=C out= c i number
  for ((i = 0; i < ${#1}; i++)); do
    c=${1:i:1}
    case $c in
      [A-Za-z0-9._/\ -]) out+=$c ;;
      *)
        printf -v number %d "'$c"
        printf -v c '\\x%02X' $((number & 255))
        out+=$c ;;
    esac
  done
  printf '%s' "$out"
}

# Copies standard input without commands.
without_commands() { LC_ALL=C sed -e 's/##\[/\\x23#[/g' -e 's/^\([[:space:]]*\):/\1\\x3A/'; }
