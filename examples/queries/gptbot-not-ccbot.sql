SELECT tld, count(*) AS sites, list(site ORDER BY site)[:3] AS examples
FROM access AS gptbot JOIN access AS ccbot USING (census, site, tld)
WHERE gptbot.agent = 'GPTBot' AND gptbot.access IN ('none', 'listed-only')
  AND ccbot.agent = 'CCBot' AND ccbot.access IN ('some', 'all')
GROUP BY tld
ORDER BY sites DESC, tld
