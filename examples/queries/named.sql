SELECT token, count(DISTINCT site) AS sites, bool_or(judged) AS judged, min(coalesce(time, "from"))::DATE AS "first seen"
FROM named JOIN sites USING (census, digest) JOIN censuses USING (census)
GROUP BY token
ORDER BY sites DESC, token
LIMIT 10
