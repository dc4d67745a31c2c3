# frozen_string_literal: true

require "fiddle"

module Robotrules
  # An error of this library has the stable code of the C ABI, such as "unknown-dialect".
  class Error < StandardError
    attr_reader :code

    def initialize(code, message)
      super(message)
      @code = code
    end
  end

  # The functions of librobotrules.so that this gem calls. include/robotrules.h describes them. A text is two arguments,
  # an address and a number of bytes.
  module Native
    INT = Fiddle::TYPE_INT32_T
    SIZE = Fiddle::TYPE_SIZE_T
    ADDRESS = Fiddle::TYPE_VOIDP
    VOID = Fiddle::TYPE_VOID
    TEXT = [ADDRESS, SIZE].freeze
    KIND_SITEMAP = 3

    # Structs as templates of unpack: members are in the order of the header, "x4" is padding.
    TEXT_STRUCT = "JJ"
    RULE_STRUCT = "JJLl"
    VERDICT_STRUCT = "ll#{RULE_STRUCT * 2}JJLl".freeze
    SETTINGS_STRUCT = "qqLlllllx4"
    FILE_FACTS_STRUCT = "JJJJJJJJLllx4"
    DIRECTIVE_STRUCT = "JJJJllLLLL"
    ROBOTS_STEP_STRUCT = "lx4JJqlx4JJJJJJlllx4qlx4JJJJ"
    EXCHANGE_STRUCT = "JllJJJJllllqqJJd"
    EXCHANGE_SIZE = 104

    # Returns the size in bytes of the struct with this template.
    def self.size_of(template)
      template.scan(/x4|./).sum { |member| "JQq".include?(member) ? 8 : 4 }
    end

    raise LoadError, "robotrules needs a Ruby of 64 bits" unless Fiddle::SIZEOF_VOIDP == 8

    LIBRARY_NAME = ENV.fetch("ROBOTRULES_LIBRARY", "").then { |name| name.empty? ? "librobotrules.so.0" : name }
    LIBRARY =
      begin
        Fiddle.dlopen(LIBRARY_NAME)
      rescue Fiddle::DLError => e
        raise LoadError, "robotrules cannot load #{LIBRARY_NAME} (#{e.message}). Install librobotrules, or set " \
                         "ROBOTRULES_LIBRARY to its path."
      end

    # The function `name`. It keeps Ruby's lock, because other threads may change the strings that it reads.
    def self.function(name, arguments, result, need_gvl: true)
      Fiddle::Function.new(LIBRARY["robotrules_#{name}"], arguments, result, need_gvl: need_gvl)
    rescue Fiddle::DLError
      raise LoadError, "robotrules needs a newer librobotrules than #{LIBRARY_NAME}. Install the version of this gem."
    end

    STATUS_CODE = function("status_code", [INT, ADDRESS], VOID)
    STATUS_MESSAGE = function("status_message", [INT, ADDRESS], VOID)
    VERSION = function("version", [ADDRESS], VOID)
    DIALECT_COUNT = function("dialect_count", [], SIZE)
    DIALECT_NAME = function("dialect_name", [SIZE, ADDRESS], INT)
    ACCESS_NAME = function("access_name", [INT, ADDRESS], VOID)
    WHY_NAME = function("why_name", [INT, ADDRESS], VOID)
    ROBOT_NAME = function("robot_name", [*TEXT, ADDRESS], INT)
    ROBOTS_URL = function("robots_url", [*TEXT, ADDRESS], INT)
    TEXT_VIEW = function("text_view", [ADDRESS, ADDRESS], VOID)
    TEXT_FREE = function("text_free", [ADDRESS], VOID)
    COMPILE_ARGUMENTS = [*TEXT, *TEXT, *TEXT, *TEXT, ADDRESS].freeze
    RULES_COMPILE = function("rules_compile", COMPILE_ARGUMENTS, INT)
    RULES_COMPILE_UNLOCKED = function("rules_compile", COMPILE_ARGUMENTS, INT, need_gvl: false)
    RULES_FREE = function("rules_free", [ADDRESS], VOID)
    RULES_ACCESS = function("rules_access", [ADDRESS, *TEXT], INT)
    RULES_CHECK = function("rules_check", [ADDRESS, *TEXT, ADDRESS], INT)
    RULES_EXPLAIN = function("rules_explain", [ADDRESS, *TEXT, ADDRESS], INT)
    RULES_LINES = function("rules_lines", [ADDRESS, ADDRESS, SIZE, ADDRESS], INT)
    RULES_SETTINGS = function("rules_settings", [ADDRESS, ADDRESS], INT)
    FILE_PARSE = function("file_parse", [*TEXT, *TEXT, *TEXT, ADDRESS], INT)
    FILE_FREE = function("file_free", [ADDRESS], VOID)
    FILE_GET_FACTS = function("file_get_facts", [ADDRESS, ADDRESS], INT)
    LONG_LONG = Fiddle::TYPE_INT64_T
    ROBOTS_FETCH_NEW = function("robots_fetch_new", [*TEXT, *TEXT, ADDRESS, LONG_LONG, ADDRESS], INT)
    ROBOTS_FETCH_FREE = function("robots_fetch_free", [ADDRESS], VOID)
    ROBOTS_FETCH_LIMITS = function("robots_fetch_limits", [ADDRESS, INT, SIZE, INT], INT)
    ROBOTS_FETCH_STEP = function("robots_fetch_step", [ADDRESS, ADDRESS], INT)
    ROBOTS_FETCH_ANSWER = function("robots_fetch_answer", [ADDRESS, ADDRESS, LONG_LONG], INT)
    FILE_DIRECTIVE = function("file_directive", [ADDRESS, SIZE, ADDRESS], INT)

    module_function

    # Returns the bytes of a string. Text in another encoding than UTF-8 becomes UTF-8; binary strings stay as they are.
    # Objects that are strings (to_str) are accepted, others are a TypeError.
    def bytes_of(value, what)
      string = String.try_convert(value) or raise TypeError, "#{what} is a #{value.class}, not a String"
      case string.encoding
      when Encoding::UTF_8, Encoding::BINARY, Encoding::US_ASCII then string
      else string.encode(Encoding::UTF_8, invalid: :replace, undef: :replace)
      end
    rescue EncodingError # there is no way from this encoding (UTF-7) to UTF-8
      string
    end

    # Returns the bytes of a URL, which may be a URI object.
    def url_bytes_of(url)
      url.is_a?(String) || !defined?(URI::Generic) || !url.is_a?(URI::Generic) ? bytes_of(url, "the URL") : url.to_s
    end

    # Returns a copy of `size` bytes, as UTF-8. Not all of them are valid UTF-8.
    def view(address, size)
      size.zero? ? +"" : Fiddle::Pointer.new(address)[0, size].force_encoding(Encoding::UTF_8)
    end

    # Calls the block with room for a struct and returns its members.
    def struct(template)
      room = "\0".b * size_of(template)
      yield room
      room.unpack(template)
    end

    # Calls a function that gives a text through its last parameter.
    def text(function, *arguments)
      view(*struct(TEXT_STRUCT) { |room| function.call(*arguments, room) })
    end

    # Calls the block with room for a handle and returns its address.
    def handle(&block)
      struct("J", &block).first
    end

    # Calls the block and lets Thread#raise, Thread#kill and Timeout wait until it ends: what the library hands out must
    # get an owner.
    def uninterrupted(&block)
      Thread.handle_interrupt(Object => :never, &block)
    end

    # Calls the block with room for a handle. Returns a pointer that frees it, when the garbage collector frees the
    # pointer, by the function `free`.
    def owned(free, &block)
      uninterrupted { Fiddle::Pointer.new(handle(&block), 0, free) }
    end

    # Calls the block with room for the handle of a text, frees it, and returns the text; nil if there is none.
    def take_text(&block)
      uninterrupted do
        address = handle(&block)
        next if address.zero?

        text(TEXT_VIEW, address)
      ensure
        TEXT_FREE.call(address) if address&.nonzero?
      end
    end

    # Raises an error unless `status` is OK: the caller passed something wrong, or memory ran out.
    def check(status)
      return if status.zero?

      raise Error.new(text(STATUS_CODE, status), text(STATUS_MESSAGE, status))
    end
  end
end
