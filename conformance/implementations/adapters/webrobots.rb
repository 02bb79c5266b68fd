# webrobots, the parser of Mechanize, which reads the bytes of the response. It allows all URLs if a file has a syntax error.
require 'json'
require 'webrobots'

$stdout.sync = true
puts JSON.generate(version: Gem.loaded_specs['webrobots']&.version&.to_s || Webrobots::VERSION)
$stdin.each_line do |line|
  question = JSON.parse(line)
  begin
    file = question['robots'].unpack1('m')
    robots = WebRobots.new(question['agent'], http_get: ->(_) { file }, crawl_delay: :ignore)
    puts JSON.generate(allowed: robots.allowed?(question['url']))
  rescue StandardError => e
    puts JSON.generate(error: "#{e.class}: #{e.message}".scrub)
  end
end
