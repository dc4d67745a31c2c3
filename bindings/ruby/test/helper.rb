# frozen_string_literal: true

$LOAD_PATH.unshift(File.expand_path("../lib", __dir__))
require "minitest/autorun"
require "robotrules"

# The tables of tests/conformance.
module Tables
  FOLDER = ENV.fetch("ROBOTRULES_CONFORMANCE_TABLES", File.expand_path("../../../tests/conformance", __dir__))
  ESCAPES = { "n" => "\n", "r" => "\r", "t" => "\t", "\\" => "\\" }.freeze

  # Returns the bytes of a field with escapes.
  def bytes_of(field)
    field.gsub(/(?:\\\{(\d+)\})?(?:\\x(\h\h)|\\([nrt\\])|([^\\]))/n) do
      many, code, escape, plain = $~.captures
      (code ? code.hex.chr : ESCAPES[escape] || plain).b * (many || 1).to_i
    end
  end
end
