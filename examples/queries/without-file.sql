SELECT outcome, site, status, redirects, target
FROM sites
WHERE outcome NOT IN ('rules', 'empty', 'page')
ORDER BY outcome, site
