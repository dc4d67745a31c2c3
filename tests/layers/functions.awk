# Prints "function NAME LINES FILE" for each function of the C++ files that it reads, from the line with its type or name
# to its closing brace. A lambda belongs to the function around it. clang-format has laid the files out.
#
# A statement outside of functions is a function if it has a ( before its first { and no = before that (. The braces of
# namespaces and classes do not begin a statement. Exit status 1 if the braces of a file do not match.

# Returns the line without texts, characters and comments. `literal_end`: what ends a comment or a raw text of several
# lines; empty: the next line begins as code.
function code_of(line,   code, at, found) {
  gsub(/[0-9]'[0-9]/, "00", line)
  while (line != "") {
    if (literal_end != "") {
      at = index(line, literal_end)
      if (at == 0) return code
      line = substr(line, at + length(literal_end))
      literal_end = ""
    }
    if (!match(line, /R"[A-Za-z_]*\(|"([^"\\]|\\.)*"|'([^'\\]|\\.)+'|\/\/|\/\*/)) return code line
    found = substr(line, RSTART, RLENGTH)
    code = code substr(line, 1, RSTART - 1)
    if (found == "//") return code
    line = substr(line, RSTART + RLENGTH)
    if (found == "/*") literal_end = "*/"
    if (found ~ /^R/) literal_end = ")" substr(found, 3, length(found) - 3) "\""
  }
  return code
}

function without_attributes(text) {
  gsub(/alignas\([^)]*\)|\[\[[^]]*\]\]/, "", text)
  return text
}

# `head`: the beginning of a statement up to a {.
function opens_scope(head) {
  head = without_attributes(head)
  return head !~ /[(=]/ && head !~ /^ enum/ && head ~ / (namespace|class|struct|union|extern)( |$)/
}

function is_function(statement,   head) {
  if (statement !~ /\(/ || statement !~ /\{/) return 0
  head = substr(statement, 1, index(statement, "(") - 1)
  return head !~ /\{/ && (head !~ /=/ || head ~ /operator *[^ A-Za-z]*=/)
}

function name_of(statement,   name) {
  name = substr(statement, 1, index(statement, "(") - 1)
  sub(/ +$/, "", name)
  if (match(name, /operator.*$/)) name = substr(name, RSTART)
  else sub(/^.*[ *&]/, "", name)
  gsub(/ /, "_", name)
  return name
}

function end_of_file() {
  if (file != "" && (depth != 0 || literal_end != "")) {
    print file ": its braces do not match" > "/dev/stderr"
    failed = 1
  }
}

FNR == 1 {
  end_of_file()
  file = FILENAME
  depth = scopes = is_directive = 0
  statement = literal_end = ""
}
literal_end == "" && (is_directive || /^ *#/) { is_directive = /\\$/; next }
{
  line = code_of($0)
  sub(/^ +/, "", line)
  sub(/ +$/, "", line)
  if (line == "" || (depth == scopes && line ~ /^(public|private|protected):$/)) next
  if (statement == "") first = FNR
  if (depth == scopes && line !~ /^template <.*>$/) statement = statement " " line
  depth += gsub(/\{/, "{", line) - gsub(/\}/, "}", line)
  if (depth > scopes) {
    head = statement
    sub(/\{[^{]*$/, "", head)
    if (depth == scopes + 1 && opens_scope(head)) { ++scopes; statement = "" }
  } else if (depth < scopes) {
    scopes = depth
    statement = ""
  } else if (line ~ /[;}]$/) {
    statement = without_attributes(statement)
    if (is_function(statement)) print "function", name_of(statement), FNR - first + 1, FILENAME
    statement = ""
  }
}
END { end_of_file(); exit failed }
