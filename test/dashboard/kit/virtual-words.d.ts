/** Compiled messages of an area in a language, created by `src/web/words-plugin.ts`. */
declare module 'virtual:words/*' {
  const messages: unknown;
  export default messages;
}
