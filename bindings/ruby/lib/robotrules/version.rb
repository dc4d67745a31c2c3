# frozen_string_literal: true

module Robotrules
  VERSION = "0.1.0"
end
