SELECT category, count(*) AS sites,
  count(*) FILTER ("blocksAny") AS "any of them",
  count(*) FILTER ("blocksAll") AS "all of them"
FROM group_access JOIN categories USING (site)
WHERE name = 'AI training' AND "blocksAny" IS NOT NULL
GROUP BY category
ORDER BY "any of them" DESC, category
