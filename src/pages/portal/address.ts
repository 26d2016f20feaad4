import type { CurrentPage } from '../data/current-page.ts';
import { type SectionName, sectionNamed } from './sections/names.ts';

/** Returns the URL of a portal section. */
export const addressOf = (
  { base, token, search }: Pick<CurrentPage, 'base' | 'token' | 'search'>,
  name: SectionName,
): string => `${base}/portal/${token}${name === 'overview' ? '' : `/${name}`}${search}`;

/** Returns the section in the current URL. */
export const sectionHere = (base: string): SectionName =>
  sectionNamed(location.pathname.slice(base.length).split('/')[3] ?? '');
