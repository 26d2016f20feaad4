import type { CurrentPage } from '../data/current-page.ts';
import { type SectionName, sectionNamed } from './sections/names.ts';

/** The address of a section of the portal. */
export const addressOf = (
  { base, token, search }: Pick<CurrentPage, 'base' | 'token' | 'search'>,
  name: SectionName,
): string => `${base}/portal/${token}${name === 'overview' ? '' : `/${name}`}${search}`;

/** The section the address of the window names. */
export const sectionHere = (base: string): SectionName =>
  sectionNamed(location.pathname.slice(base.length).split('/')[3] ?? '');
