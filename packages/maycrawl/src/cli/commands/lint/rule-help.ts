/**
 * Descriptions of findings, written from docs/rules by `npm run rule-help`.
 *
 * @module
 */
import type { FindingCode } from '@maycrawl/core/lint';

/** What a finding means, and what to do. */
export interface RuleHelp {
  /** A phrase without full stop. */
  readonly summary: string;
  /** Paragraphs in Markdown. */
  readonly text: string;
}

/** The descriptions by their codes, in alphabetical order. */
export const RULE_HELP: Readonly<Record<FindingCode, RuleHelp>> = {
  'byte-order-mark': {
    summary: 'The file starts with a UTF-8 byte order mark, which is skipped',
    text: "Some editors write the bytes EF BB BF at the start of a file. Google's crawler skips them, and so does maycrawl. RFC 9309 does not mention them, so other crawlers may treat them as part of the first line and then lose the first user-agent line.\n\nSave the file as UTF-8 without a byte order mark, or make the first line empty or a comment.",
  },
  'conflicting-preferences': {
    summary: 'Two lines for the same crawlers and paths contradict each other',
    text: 'One line allows a use, and another one refuses it: in two formats, or in two lines of the same format. All groups for `*` count as one group, so the lines can be far from each other; a block that a vendor inserts is a frequent cause. The AIPREF draft combines statements for the same path: a refusal wins (draft-ietf-aipref-vocab-08, section 5.1). For `Content-Signal`, and between formats, there is no such document.\n\nDecide what is intended, and write it in all formats.',
  },
  'conflicting-rules': {
    summary: 'A group allows and disallows the same pattern: allow wins',
    text: "If two matching rules have the same length, allow wins, in any order (RFC 9309 section 2.2.2; Google's page on robots.txt). So the disallow rule has no effect. Some other crawlers use the first of the two.\n\nRemove the rule that is not intended.",
  },
  'dollar-not-at-end': {
    summary: 'A dollar sign that is not at the end of a pattern is an ordinary character',
    text: '`$` matches the end of the URL only as the last character of the pattern (RFC 9309 section 2.2.3). Elsewhere it matches a dollar sign, which is rare in URLs.\n\nRemove it, or end the pattern with it. If the URLs contain a dollar sign there, the pattern is correct.',
  },
  'double-encoding': {
    summary: 'A pattern contains %25 before two hexadecimal digits: it is percent-encoded twice',
    text: '`%25` is an encoded percent sign, so `%2520` represents the text `%20`, not a space. Crawlers do not decode twice: `/my%2520files/` does not match a request for `/my%20files/`.\n\nEncode the character once. If the URLs of the site really contain `%25`, for example in an embedded URL, the pattern is correct.',
  },
  'empty-field-name': {
    summary: 'The field before the colon is empty, and the line is ignored',
    text: 'A line that begins with a colon has no field. All crawlers ignore it.\n\nWrite the field: `Disallow`, `Allow`, `User-agent` or `Sitemap`.',
  },
  'everything-blocked': {
    summary: 'Crawlers without a group of their own may not fetch any URL',
    text: 'The rules for `*` disallow every URL. That is correct for a site under development or a private site. On others it is often a remnant of development, and the site disappears from search results. It does not hide the site either: search engines can show URLs that other sites link to, without their content.\n\nDisallow only the URLs that crawlers should not fetch. To keep a site private, require a password.',
  },
  'extended-token': {
    summary: 'A name has digits or dots, which Google does not read',
    text: "A product token has only letters, `_` and `-` (RFC 9309 section 2.2.1). Google's matcher reads the beginning up to the first other character: `MJ` of `MJ12bot`, and nothing of `360Spider`. Some operators chose such names nevertheless and document them for this file, so their crawlers are expected to compare the whole name. maycrawl decides in the same way for an agent with such a name.\n\nNo change is required if this is the name that the operator documents. The group applies to a crawler of Google only if Google reads its token here.",
  },
  'field-name-suffix': {
    summary: 'A field only begins with a known name, and Google reads it as that field',
    text: "Google's matcher compares only the beginning of a field, so it reads `Disallowed` as `Disallow` and `Allowance` as `Allow`. Crawlers that follow RFC 9309 see an unknown record, which has no effect.\n\nThis also concerns `DisallowAITraining` and `AllowAITraining`, of a draft that expired in 2025 (draft-canel-robots-ai-control): `DisallowAITraining: /` forbids Googlebot to crawl the site. Remove the line, and state the preference with `Content-Usage: train-ai=n`. There is no automatic fix for these fields.\n\nWrite the exact field: `User-agent`, `Allow`, `Disallow` or `Sitemap`. If the record is something else, remove it.",
  },
  'file-too-large': {
    summary: 'The file exceeds the size limit of crawlers, and the rest is ignored',
    text: 'Google reads the first 500 KiB (512,000 bytes) of a robots.txt, according to its page on robots.txt. RFC 9309 section 2.5 allows a limit, but not below 500 KiB. Crawlers ignore all rules and groups after the limit.\n\nSuch a file usually lists single URLs. Move the pages into one folder and disallow that, use wildcards, or use `noindex` in the pages. `maycrawl minify` removes redundant rules.',
  },
  'group-without-rules': {
    summary: 'A group has no rules, so its crawlers may fetch everything',
    text: 'There is no `Allow` or `Disallow` line below the last user-agent lines: the file ends, or only other records follow. A crawler with a group of its own ignores the rules for `*` (RFC 9309 section 2.2.1). This group has no rules, so the crawler may fetch everything.\n\nWrite the rules for this crawler, including the rules for `*` that should apply to it, or remove its name. If it may fetch everything, write an empty `Disallow:`.',
  },
  'html-content': {
    summary: 'The file is an HTML page, not a robots.txt',
    text: 'The file begins with a tag, a comment or a declaration. Usually the server responds to the request for a missing robots.txt with a page and status 200. Crawlers parse it line by line like any text: they ignore most of it, but a line that looks like a rule applies. The other lines of the page are not reported again.\n\nConfigure the server to respond with status 404 if there is no robots.txt, or to serve the file as `text/plain` (RFC 9309 section 2.3).',
  },
  'invalid-line': {
    summary: 'A line does not have the form "field: value" and is ignored',
    text: 'A line needs a field, a colon and a value (RFC 9309 section 2.2). Google accepts a missing colon only if the line has exactly two words. Crawlers ignore all other text.\n\nFor a comment, put a `#` in front. For a rule, write one pattern per line, with a colon.',
  },
  'invalid-preference': {
    summary: 'A preference does not follow the grammar of its format and declares nothing',
    text: 'The value of `Content-Usage` is an optional path and a dictionary of structured fields (RFC 9651): labels in lower case, `=`, `y` or `n`, with commas between them, no comma at the end, and no space beside `=`. A path starts with `/` and ends at the first space. One mistake makes the whole line declare nothing, also for the labels that are correct. `#` starts a comment, inside quotation marks, too.\n\nThe value of `Content-Signal` is a list of labels with `yes` or `no`. Its readers are not documented to be strict: there is a finding only if no part of the value has this form.\n\nCorrect the line at the column of the finding.',
  },
  'invalid-product-token': {
    summary: 'The value of a user-agent line is not a valid product token',
    text: 'A product token has only letters, `_` and `-` (RFC 9309 section 2.2.1), and `*` alone stands for all other crawlers. Names have no wildcards: `*bot` matches no crawler. Neither does a name that begins with a quotation mark. The rules below apply to no crawler unless another line of the group has a valid token. For a name with digits, see extended-token.\n\nWrite the token that the operator of the crawler documents, or `*`.',
  },
  'invalid-utf8': {
    summary: 'A line is not valid UTF-8',
    text: "The file must be UTF-8 (RFC 9309 section 2.3). On a line that is not, each byte from 0x80 up matches as its own `%XX`: an `é` saved as Latin-1 is `%E9`, while browsers and crawlers request `%C3%A9`. Google's page on robots.txt says that crawlers may ignore such characters.\n\nSave the file as UTF-8, or percent-encode the characters.",
  },
  'licence-comment-only': {
    summary: 'A comment explains content signals, but no line declares a preference',
    text: 'Cloudflare inserts a comment with the meaning of content signals into files of sites that do not use its managed robots.txt. Comments declare nothing: the preference for each use is unknown.\n\nAdd a `Content-Signal` or `Content-Usage` line to the group for `*` if you want to state a preference. Otherwise no change is required.',
  },
  'line-too-long': {
    summary: 'A line exceeds the size limit, and its end is ignored',
    text: "Google's matcher reads the first 16,663 bytes of a line and drops the rest of the line. A truncated rule matches more URLs than intended, because a pattern matches every URL that begins with it.\n\nUsually a program removed the line ends, so the whole file is one line. Write one record per line.",
  },
  'managed-block-conflict': {
    summary: 'A block that a vendor inserts changes what a group of the owner states',
    text: "Cloudflare and some hosters insert a block between comments, such as `# BEGIN Cloudflare Managed content` and `# END Cloudflare Managed Content`. If the block and the rest of the file have groups for the same crawler, crawlers combine their rules. A `Disallow: /` of the block then forbids what the owner's group does not explicitly allow; an `Allow: /` of the block wins against a `Disallow: /` of the owner. conflicting-preferences reports content signals that contradict each other.\n\nSwitch the block off in the settings of the vendor, or change your group: add an `Allow` for what the crawler may fetch.",
  },
  'merged-groups': {
    summary: 'Two groups are one, because no rule separates their user-agent lines',
    text: "Only `Allow` and `Disallow` end a list of user-agent lines. A record such as `Sitemap` or `Crawl-delay`, an unknown record, a comment or an empty line does not: the rules that follow apply to both crawlers. Google's page on robots.txt says so, and according to RFC 9309 section 2.2.4 other records must not interfere with groups.\n\nAdd a rule to the first group; use an empty `Disallow:` if its crawlers may fetch everything. If the rules are for both crawlers, move the record.",
  },
  'missing-colon': {
    summary: 'The colon between field and value is missing, and the space replaces it',
    text: "Google's matcher accepts a missing colon if the line has exactly two words. RFC 9309 section 2.2 requires the colon, and other crawlers may ignore the line.\n\nWrite the colon.",
  },
  'misspelled-field-name': {
    summary: 'A field is misspelled, and Google reads it as the intended field',
    text: "Google's matcher accepts some frequent misspellings: `dissallow`, `dissalow`, `disalow`, `diasllow`, `disallaw`, `useragent`, `user agent` and `site-map`. Other crawlers may ignore the line. The profile `rfc9309` accepts only the names in RFC 9309.\n\nCorrect the spelling.",
  },
  'misspelled-user-agent': {
    summary: 'A name differs from the token of a known crawler by one or two characters',
    text: 'Crawlers compare whole names, case-insensitively (RFC 9309 section 2.2.1). `GPTbott` is not a known crawler, so GPTBot ignores this group and obeys the rules for `*`, if there are any.\n\nWrite the token that the operator of the crawler documents. If a crawler with exactly this name exists, ignore the finding.',
  },
  'nul-byte': {
    summary: 'A NUL byte ends the line, and the rest of the line is ignored',
    text: "Google's matcher drops the rest of a line after a NUL byte. Text files do not contain NUL bytes. Usually the file was saved as UTF-16, in which every second byte of an English text is NUL; then no line can be read.\n\nSave the file as UTF-8.",
  },
  'old-preference-label': {
    summary: 'Only old drafts of AIPREF define a label of Content-Usage',
    text: 'The labels of the AIPREF vocabulary changed several times. `tdm`, `ai`, `genai` and `inference` are from 2025-06, `all` and `train-genai` from 2025-07, `bots` from 2025-09 and `ai-output` from 2025-10. The draft of 2026-09-13 has `train-ai`, `ai-use` and `search`. A reader of this draft ignores the others. `maycrawl preferences` reads old labels and names the draft.\n\nAdd the current labels. A line can have old and current labels at the same time.',
  },
  'partial-byte-order-mark': {
    summary: 'The file starts with an incomplete byte order mark, which is skipped',
    text: "The file starts with only the first bytes of EF BB BF. Google's matcher skips them; other crawlers treat them as part of the first line and then do not recognize it as a user-agent line.\n\nThe file was damaged, so check the rest of it too. Save it as UTF-8 without a byte order mark.",
  },
  'partially-supported-record': {
    summary: 'Only some crawlers support the record; Google does not',
    text: 'Bing supports `Crawl-delay`; Google ignores it, and so does Yandex since 2018-02-22. `Clean-param` is a record of Yandex; so was `Host` until 2018. SeznamBot supports `Request-rate`; no major crawler is known to support `Visit-time`, which is from an old proposal. `License` names the terms of use (Really Simple Licensing). None of these records affects which URLs may be fetched.\n\nKeep the record if it is for a crawler that supports it; it has no effect on others. Otherwise remove it.',
  },
  'pattern-without-slash': {
    summary: 'A pattern starts with neither a slash nor a star, and matches no URL',
    text: 'Patterns are matched against the path of a URL, which always begins with a slash. So `Disallow: drafts/` disallows nothing (RFC 9309 section 2.2). Only the profile `google-2013` adds the slash.\n\nWrite the path with its leading slash.',
  },
  'preference-after-last-group': {
    summary: 'A preference at the end of the file belongs to the last group, and reaches only its crawlers',
    text: 'A group ends at the next user-agent line after its rules, not at a blank line, a comment or a `Sitemap` line (RFC 9309 section 2.2.1). A `Content-Usage` or `Content-Signal` line at the end of a file therefore belongs to the last group, even if the text above it introduces a preference for the whole site. The finding requires that no other group has a declaration: all other crawlers read none.\n\nMove the line below `User-agent: *`, and repeat it in the groups of crawlers that have one of their own. If it is only for the crawlers of the last group, move it up to their rules.',
  },
  'preference-before-group': {
    summary: 'A preference is above the first user-agent line and belongs to no group',
    text: '`Content-Usage` and `Content-Signal` belong to the group in which they are. Above the first user-agent line there is no group: a reader of the AIPREF draft (draft-ietf-aipref-attach-05) applies the line to no crawler. Cloudflare does not document such content signals; some tools read them for the whole site.\n\nMove the line below `User-agent: *`, and repeat it in the groups of crawlers that have one of their own.',
  },
  'preference-between-user-agents': {
    summary: 'A Content-Usage line is between user-agent lines, and crawlers group the lines differently',
    text: "In the AIPREF draft (draft-ietf-aipref-attach-05), `Content-Usage` is a rule: the next user-agent line starts a new group. For crawlers that do not know the field, only `Allow` and `Disallow` end a list of user-agent lines: the rules that follow apply to the crawlers above the line, too. Verdicts of maycrawl are those of the second reading, which is Google's.\n\nAdd a rule to the first group; use an empty `Disallow:` if its crawlers may fetch everything.",
  },
  'preference-missing-in-own-group': {
    summary: 'The preferences for * do not reach an AI crawler that has a group of its own',
    text: 'A crawler reads the group that names it, and the group for `*` only if there is no such group (RFC 9309 section 2.2.1). `Content-Usage` and `Content-Signal` follow the same groups. The finding is about crawlers that fetch pages for AI (see the crawlers), that may fetch URLs, and whose groups have no declaration, if the group for `*` refuses a use other than search. Some readers may apply declarations for `*` to the whole site; no document says so.\n\nRepeat the lines in the group. The fix inserts them after its last user-agent line, so they apply to all crawlers of this group. It changes no verdict.',
  },
  'redundant-rule-by-default': {
    summary: 'The rule allows URLs that are allowed by default',
    text: 'URLs that no rule disallows are allowed (RFC 9309 section 2.2.2). An allow rule has an effect only where a disallow rule matches too, and no such URL gets another verdict through this rule. It does not make a crawler fetch sooner or more often.\n\nRemove it. If only these URLs should be allowed, a `Disallow: /` is missing. (A disallow rule can have this finding too: if an allow rule always wins over it, both can be removed.)\n\nA rule that is "redundant together with" others is redundant only if they are removed too; alone it has an effect.',
  },
  'redundant-rule': {
    summary: 'Other rules give the same verdict for every URL that the rule matches',
    text: 'It was proved for every crawler and every URL that can be requested that no verdict changes without this rule. The rule does no harm, but it suggests an effect that it does not have.\n\nRemove it, or check whether another pattern was intended. All rules with this finding can be removed together.\n\nA rule that is "redundant together with" others is redundant only if they are removed too; alone it has an effect.',
  },
  'repeated-agent': {
    summary: 'A crawler has several groups, which are combined',
    text: 'Crawlers combine all groups that name them, and the order does not matter (RFC 9309 section 2.2.1). Some older parsers use only the first group. The file is also easy to misread: the second group does not replace the first one.\n\nWrite one group.',
  },
  'rule-before-group': {
    summary: 'A rule precedes the first user-agent line and applies to no crawler',
    text: 'Rules apply to the crawlers in the user-agent lines above them (RFC 9309 section 2.2.1). No such line is above this rule, so all crawlers ignore it.\n\nMove the rule below the user-agent line of the intended crawlers, usually `User-agent: *`.',
  },
  'rule-truncated': {
    summary: 'The size limit truncates a rule, and the remaining part applies',
    text: 'A crawler reads the first 500 KiB of a file. A rule across this limit loses its end, and the remaining part is a rule too: `Disallow: /private-archive/` can become `Disallow: /`, which disallows the whole site. The finding quotes the remaining part and the original. An ellipsis replaces the end of the line if it is unknown: a fetch stores only one byte beyond the limit.\n\nMake the file shorter. `maycrawl minify` removes redundant rules.',
  },
  'rule-undecided': {
    summary: 'Could not determine whether rules are redundant: the proof exceeds its budget',
    text: 'The linter proves for all URLs whether a rule is redundant, within a budget of steps. Rules with many wildcards, or thousands of rules some of which have wildcards, can exceed it. Any of the rules in this finding may be redundant. The message gives their number and the first lines. The budget counts steps, not time, so the result is the same on every machine.\n\nReplace wildcards by plain paths where possible.',
  },
  'sitemap-not-absolute': {
    summary: 'The value of a sitemap record is not an absolute URL',
    text: "A sitemap record needs a complete URL with scheme and host, according to Google's page on robots.txt and the sitemaps protocol. Crawlers that follow them do not resolve a path, and do not find the sitemap.\n\nWrite the URL with `https://` or `http://`. It may be on another host.",
  },
  'sitemap-not-public': {
    summary: 'The URL of a sitemap cannot be reached from the public Internet',
    text: 'Often such a URL is from a development server, or contains the internal name of a server behind a proxy. External crawlers cannot fetch the sitemap. The linter reports:\n\n- `localhost`, and names without a dot or under `.localhost`, `.local`, `.internal`, `.home.arpa`, `.test` or `.invalid`, which are reserved   (RFC 6761, RFC 6762, RFC 8375); - addresses that are not public, by the table that the client uses: private, loopback, documentation and other reserved   ranges (`10.0.0.8`, `127.0.0.1`, `[::1]`, `192.0.2.1`, `[2001:db8::1]`); - URLs with a user name or a password, which anyone can read in the file.\n\nThe linter judges the form of the URL and resolves no names: other names can be unreachable too. Ignore the finding in the file of a development server.',
  },
  'style-or-script-blocked': {
    summary: 'Googlebot may not fetch style sheets or scripts that pages need',
    text: 'Google renders pages like a browser and fetches their `.css` and `.js` files, subject to the same rules. Without them, it sees pages without their layout and without content from scripts. Google advises against blocking resources that are needed to understand a page.\n\nRemove the rule, or restrict it to files that no page needs.',
  },
  'text-after-product-token': {
    summary: 'Only the beginning of a user-agent value is read as a product token',
    text: "Google's matcher reads the letters, `_` and `-` at the beginning and ignores the rest: it reads `GPTBot/1.2` as `GPTBot`, and also `GPTBot, CCBot`, in which the second name is lost. Other crawlers may compare the whole value and then find no group.\n\nWrite only the token, one per line (RFC 9309 section 2.2.1).",
  },
  'trailing-star': {
    summary: 'A star at the end matches no additional URLs, but makes the rule longer',
    text: 'A pattern matches every URL that begins with it, so `/drafts/*` matches the same URLs as `/drafts/`. But the longest matching pattern wins (RFC 9309 section 2.2.2), and the star counts: `Disallow: /drafts/*` wins over `Allow: /drafts/`, which would win a tie.\n\nRemove the star. If the rule needs it to win over another rule, change the other rule instead.',
  },
  'unencoded-character': {
    summary: 'A pattern contains a character that is always percent-encoded, and matches nothing',
    text: 'Browsers and crawlers percent-encode a space, `"`, `<` and `>` before they request a URL (WHATWG URL Standard). Patterns are compared with the encoded URL, and only their non-ASCII characters are encoded first. A backtick, `{` and `}` are encoded in the path but not in the query. The profile `rfc9309` encodes these characters in patterns, too, and has no such finding.\n\nWrite the character in its encoded form: a space as `%20`, `"` as `%22`, `<` as `%3C`, `>` as `%3E`, a backtick as `%60`, `{` as `%7B`, `}` as `%7D`.',
  },
  'unknown-field': {
    summary: 'The record is not part of the protocol and has no effect',
    text: 'Crawlers may support other records, but these must not affect the interpretation of the rules (RFC 9309 section 2.2.4). Google supports `User-agent`, `Allow`, `Disallow` and `Sitemap`, and ignores all others.\n\nIf it is a rule, correct the field. If it is information for people, use a comment.',
  },
  'unknown-preference-label': {
    summary: 'A label is not defined by the format, so readers ignore it',
    text: '`Content-Usage` has the labels `train-ai`, `ai-use` and `search` (draft-ietf-aipref-vocab-08); `Content-Signal` has `search`, `ai-input`, `ai-train` and `use` (contentsignals.org). The labels of one format are unknown in the other one. Readers ignore unknown labels: nothing is declared with them.\n\nWrite the label of the format. If the label is from a proposal of a third party, the line does no harm.',
  },
  'unknown-preference-value': {
    summary: 'The value of a label is not defined by the format, so nothing is declared with it',
    text: '`Content-Usage` has the values `y` and `n`; `Content-Signal` has `yes` and `no`, and for `use` the levels `immediate`, `reference` and `full`. `train-ai=no` in a `Content-Usage` line is not a refusal: the preference is unknown.\n\nWrite the value of the format.',
  },
  'unreachable-rule': {
    summary: 'No URL that can be requested matches the rule',
    text: 'The pattern describes a path that does not occur in requests. Browsers and crawlers resolve the segments `.` and `..` before a request: for a link to `/old/../drafts/` they request `/drafts/`, which the rule does not match.\n\nUnder the profile `rfc9309`, crawlers may always fetch `/robots.txt`, so a rule for this path alone has no effect either.\n\nWrite the path as it is requested, or remove the rule.',
  },
  'unsupported-record': {
    summary: 'No major search engine supports the record: noindex, nofollow, nosnippet, noarchive',
    text: 'These directives belong in pages. Google never documented them for robots.txt and stopped supporting them there on 2019-09-01; no other major search engine is known to support them. The pages stay in the index.\n\nPut `noindex` into a robots meta tag or an `X-Robots-Tag` header, and allow crawlers to fetch the pages: otherwise they cannot read it.',
  },
  'url-as-pattern': {
    summary: 'A pattern is a full URL, and matches nothing',
    text: 'Patterns are matched against the path of a URL, which always begins with a slash. So `Disallow: https://example.com/drafts/` disallows nothing (RFC 9309 section 2.2). A robots.txt applies only to its own scheme, host and port; other hosts need a file of their own.\n\nWrite only the path. A full URL is correct in a `Sitemap` record.',
  },
  'use-without-crawl': {
    summary: 'A line allows the use of content that its crawlers may not fetch',
    text: 'The group allows training or other use by AI, and its rules forbid its crawlers to fetch any URL. Under the AIPREF draft (draft-ietf-aipref-attach-05) a URL that may not be fetched has no preference, so the permission has no effect.\n\nRemove the permission, or allow the crawlers to fetch what they may use.',
  },
};
