import type { ResultOf } from '../../ui/documents.ts';
import { csrf } from '../account/account.ts';
import { AccountPage } from '../account/page.tsx';
import type { Accept } from '../account/use-account.ts';
import { areaOf } from '../data/current-page.ts';
import { beginOf, mapBegin } from '../data/initial-data.ts';
import { run } from '../data/service.ts';
import type { PageEntry } from '../page-entry.ts';
import { ClaimDocument, ClaimPageDocument } from './page.graphql';

type Data = ResultOf<typeof ClaimPageDocument>;

const accept: Accept = (token) => run(ClaimDocument, { input: { token } }, csrf);

/** Page for claiming an organization. */
export const claim: PageEntry = {
  area: 'account',
  questionOf: (token) => ({ query: ClaimPageDocument, variables: { token } }),
  view: (answer) => (
    <AccountPage
      accept={accept}
      begin={mapBegin(beginOf<Data>(answer, ['claim_not_pending']), ({ claimLink }) => ({
        ...claimLink,
        invited: null,
      }))}
    />
  ),
  lookOf: () => ({ branding: null, locale: null }),
  titleOf: (data, page) => {
    const words = areaOf(page, 'account');
    return data === undefined
      ? words.page
      : words.claimTitle({ organization: (data as Data).claimLink.organizationName });
  },
};
