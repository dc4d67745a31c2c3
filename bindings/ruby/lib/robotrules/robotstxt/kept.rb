# frozen_string_literal: true

require_relative "../robots_fetch"

module Robotrules
  module Robotstxt
    # The last fetch of each site by a robot, for the process: so the last good copy of a file holds while its site cannot
    # be reached, and failures are counted. Any number of threads may call it.
    module Kept
      MAX_SITES = 1_000 # those that were fetched last
      MAX_BYTES = 16 << 20 # of their files

      # The charset is that of the file; nil: there was none.
      Entry = Struct.new(:fetch, :charset) do
        def bytes
          fetch.robots.bytesize
        end
      end

      @entries = {}
      @bytes = 0
      @lock = Mutex.new

      module_function

      # Returns a new fetch that knows the last one, and the charset of the last file. `site`: the URL of the robots.txt,
      # the policy and the name of the robot.
      def begin(site)
        last = @lock.synchronize { @entries[site] }
        [RobotsFetch.new(site[0], policy: site[1], last: last&.fetch), last&.charset]
      end

      def keep(site, fetch, charset)
        @lock.synchronize do
          forget(site)
          @bytes += (@entries[site] = Entry.new(fetch, charset)).bytes
          forget(@entries.first[0]) while @entries.size > MAX_SITES || (@bytes > MAX_BYTES && @entries.size > 1)
        end
      end

      def forget(site)
        entry = @entries.delete(site)
        @bytes -= entry.bytes if entry
      end
      private_class_method :forget
    end
  end
end
