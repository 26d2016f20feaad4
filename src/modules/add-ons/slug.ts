/**
 * The slug of a name: its letters and digits of any script in lower case, every run of other characters a hyphen between them. A name
 * without letters and digits has the slug of `fallback`.
 */
export function slugOf(name: string, fallback: string): string {
  const words = (text: string): string[] =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const slug = words(name).join('-');
  return slug === '' ? words(fallback).join('-') : slug;
}
