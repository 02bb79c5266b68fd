SELECT one.agent, other.agent AS other, count(*) AS sites
FROM access AS one JOIN access AS other USING (census, site)
WHERE one.agent < other.agent
  AND one.access IN ('none', 'listed-only') AND other.access IN ('none', 'listed-only')
GROUP BY ALL
ORDER BY sites DESC, one.agent, other
LIMIT 5
