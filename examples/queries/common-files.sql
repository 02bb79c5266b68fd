SELECT count(*) AS sites, digest[:8] AS file, rules, generators, min(site) AS example
FROM sites JOIN files USING (census, digest)
GROUP BY ALL
HAVING sites > 1
ORDER BY sites DESC, file
