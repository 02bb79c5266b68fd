module maycrawl.invalid/client

go 1.19
