# frozen_string_literal: true

require_relative "../robots_fetch"

module Robotrules
  module Robotstxt
    # The last fetch of each site, for the process: so the last good copy of a file holds while its site cannot be
    # reached, and failures are counted. Any number of threads may call it.
    module Kept
      MAX_SITES = 1_000 # those that were fetched last

      @fetches = {}
      @lock = Mutex.new

      module_function

      # Returns a new fetch that knows the last one.
      def last(robots_url, policy)
        RobotsFetch.new(robots_url, policy: policy, last: @lock.synchronize { @fetches[[robots_url, policy]] })
      end

      def keep(robots_url, policy, fetch)
        @lock.synchronize do
          @fetches.delete([robots_url, policy])
          @fetches[[robots_url, policy]] = fetch
          @fetches.shift if @fetches.size > MAX_SITES
        end
      end

      # Forgets all sites.
      def clear
        @lock.synchronize { @fetches.clear }
      end
    end
  end
end
