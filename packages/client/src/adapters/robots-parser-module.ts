/**
 * `@maycrawl/client/robots-parser`: a replacement for the npm package robots-parser 3, for `import` and `require`.
 *
 * @module
 */
// `require` returns the export `module.exports`. TypeScript before 5.6 cannot read that name: package.json refers it to robots-parser.ts.
export { default, default as 'module.exports', type RobotsParser } from './robots-parser.ts';
