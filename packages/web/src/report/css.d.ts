/** Styles are imported for their effect: Vite puts them into a file of their own. */
declare module '*.css';
