// Findings about titles and contents of indexable pages.

/** Kinds about contents. */
export const CONTENT_KINDS = {
  'duplicate-content': {
    severity: 'warning',
    rank: 190,
    about: 'indexing',
    one: '1 page has the same bytes as another one',
    many: '# pages have the same bytes as others',
    sentence: 'Has the same bytes as other pages:',
    cost: 'Search engines select one of them, and crawl the others for nothing.',
    action: 'Name one of them as the canonical of all, or redirect.',
    actionForOne: 'Name one of them as the canonical of all, or redirect.',
    decision: 'At least two indexable HTML pages have the same bytes. The detail is their digest.',
    example: '/page and /page?ref=1',
    source: 'canonical',
    query: {
      detail: 'digest',
      where:
        'reason is null and is_html and (agent, digest) in (select agent, digest from judged where reason is null and is_html and digest is not null group by agent, digest having count(*) > 1)',
    },
  },
  'duplicate-title': {
    severity: 'warning',
    rank: 200,
    about: 'indexing',
    one: '1 page shares its title with another one',
    many: '# pages share their titles with others',
    sentence: 'Shares its title with other pages:',
    cost: 'In search results they look the same.',
    action: 'Give each page a title of its own.',
    actionForOne: 'Give it a title of its own.',
    decision: 'At least two indexable HTML pages have the same title. The detail is the title.',
    example: '<title>Index</title> on 30 pages',
    source: 'title',
    query: {
      detail: 'title',
      where:
        "reason is null and is_html and (agent, title) in (select agent, title from judged where reason is null and is_html and title <> '' group by agent, title having count(*) > 1)",
    },
  },
  'missing-title': {
    severity: 'warning',
    rank: 210,
    about: 'indexing',
    one: '1 page has no title',
    many: '# pages have no title',
    sentence: 'Has no title.',
    cost: 'Search engines create a title themselves.',
    action: 'Add a title element to the head.',
    decision: 'The page is indexable HTML without a title element, or its title is empty.',
    example: '<head></head>',
    source: 'title',
    query: { where: "reason is null and is_html and coalesce(title, '') = ''" },
  },
} as const;
