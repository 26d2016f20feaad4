import { areaOf } from '../data/current-page.ts';
import { beginOf } from '../data/initial-data.ts';
import type { PageEntry } from '../page-entry.ts';
import { PortalPage, titleOf } from './page.tsx';
import { sections } from './sections/index.ts';
import type { Frame } from './sections/kind.ts';
import { sectionNamed } from './sections/names.ts';

type Data = { readonly portal: Frame };

/** Customer portal. Each section has its own URL. */
export const portal: PageEntry = {
  area: 'portal',
  questionOf: (token, link, section) => ({
    query: sections[sectionNamed(section)].document,
    variables: { token, link },
  }),
  view: (answer) => <PortalPage begin={beginOf<Data>(answer, ['unauthorized'])} />,
  lookOf: (data) => {
    const { branding, locale } = (data as Data).portal;
    return { branding, locale };
  },
  titleOf: (data, page) => {
    const own = areaOf(page, 'portal');
    return data === undefined ? own.title : titleOf(own, sectionNamed(page.section), (data as Data).portal);
  },
};
