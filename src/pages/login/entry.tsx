import { areaOf } from '../data/current-page.ts';
import { beginOf } from '../data/initial-data.ts';
import type { PageEntry } from '../page-entry.ts';
import { LoginPageDocument } from './page.graphql';
import { LoginPage, type LoginPageData } from './page.tsx';

export const login: PageEntry = {
  area: 'login',
  questionOf: (slug, link) => ({ query: LoginPageDocument, variables: { slug, link } }),
  view: (answer) => <LoginPage begin={beginOf<LoginPageData>(answer, [])} />,
  lookOf: (data) => (data as LoginPageData).portalLogin ?? { branding: null, locale: null },
  titleOf: (data, page) => {
    const words = areaOf(page, 'login');
    const seller = (data as LoginPageData | undefined)?.portalLogin?.branding.name;
    return seller === undefined ? words.page : `${words.title} – ${seller}`;
  },
};
