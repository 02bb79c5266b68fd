SELECT token, count(DISTINCT site) AS sites, bool_or(judged) AS judged, min(census) AS "first named"
FROM named JOIN sites USING (census, digest)
GROUP BY token
ORDER BY sites DESC, token
LIMIT 10
