SELECT agent,
  count(*) FILTER (access IN ('none', 'listed-only')) AS blocked,
  count(*) FILTER (access IN ('none', 'listed-only') AND access."group" = 'own') AS explicit,
  count(*) AS sites,
  round(100 * blocked / sites, 1) AS percent
FROM access
WHERE access NOT IN ('undecided', 'unreachable', 'unknown')
GROUP BY agent
ORDER BY blocked DESC, agent
