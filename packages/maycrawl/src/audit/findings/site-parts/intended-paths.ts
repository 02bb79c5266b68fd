// What a site plainly does not want in an index: results of searches, carts, accounts, administration, and variants by parameters.

/** Names of folders and files, without an extension. */
const NAMES: ReadonlySet<string> = new Set([
  ...['search', 'suche', 'recherche', 'buscar', 'find', 'results'],
  ...[
    'cart',
    'basket',
    'checkout',
    'order',
    'orders',
    'payment',
    'wishlist',
    'compare',
    'warenkorb',
    'kasse',
  ],
  ...['panier', 'commande', 'carrito'],
  ...['account', 'my-account', 'myaccount', 'customer', 'profile', 'user', 'users', 'konto', 'compte'],
  ...['login', 'log-in', 'logout', 'signin', 'sign-in', 'signup', 'register', 'auth', 'oauth', 'password'],
  ...[
    'admin',
    'wp-admin',
    'administrator',
    'wp-login',
    'xmlrpc',
    'wp-json',
    'api',
    'ajax',
    'graphql',
    'cgi-bin',
  ],
  ...['print', 'feed', 'tag', 'tags', 'author', 'tmp', 'temp', 'cache', 'private', 'internal', 'preview'],
]);

/** Whether a path of a URL, or the pattern of a rule, is about what a site plainly does not want in an index. */
export function isIntendedPath(path: string): boolean {
  // "/*?" and "/*&sort=" are about parameters.
  if (/[?&=]/.test(path)) return true;
  return path.split(/[/*$]/).some((part) => NAMES.has(part.replace(/\.\w{1,5}$/, '').toLowerCase()));
}
