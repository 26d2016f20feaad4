import { addressOf } from '../../../address.ts';
import { useData } from '../../../data/hooks.ts';
import { Status } from '../../../kit/badge.tsx';
import { CopyButton } from '../../../kit/copy.tsx';
import { Row } from '../../../kit/layout.tsx';
import { lazyPart } from '../../../kit/lazy-part.tsx';
import { Link } from '../../../kit/link.tsx';
import { useKit } from '../../../kit/provider.tsx';
import { Text } from '../../../kit/text.tsx';
import { DateText } from '../../../kit/values.tsx';
import { useWords } from '../../../words/words.ts';
import { CatalogList } from '../parts/catalog-list.tsx';
import { PageButtons, useSearchedPages } from '../parts/searched-pages.tsx';
import { type ShownState, StateTabs, useShownState } from '../parts/state-tabs.tsx';
import { useOpenObject } from '../parts/use-catalog-page.ts';
import type { PromoCode } from './code-sheet.tsx';
import { CatalogPromoCodeDocument, CatalogPromoCodesDocument } from './page.graphql';

const CodeSheet = lazyPart(() => import('./code-sheet.tsx').then((module) => module.CodeSheet));
const NewCodesSheet = lazyPart(() => import('./new-codes-sheet.tsx').then((module) => module.NewCodesSheet));

/** Returns the state of a code: redeemable, or the reason why it can't be redeemed. */
function stateOf({ isActive, expiresAt, maxRedemptions, redemptionCount }: PromoCode, now: Date) {
  if (!isActive) return 'off';
  if (expiresAt !== null && new Date(expiresAt) <= now) return 'expired';
  return maxRedemptions !== null && redemptionCount >= maxRedemptions ? 'used' : 'on';
}

const tones = { on: 'positive', off: 'neutral', expired: 'neutral', used: 'warning' } as const;

/** Lists promo codes with their redemptions. */
export default function PromoCodesPage() {
  const state = useShownState();
  return <Codes key={state} state={state} />;
}

function Codes({ state }: { readonly state: ShownState }) {
  const title = useWords('titles').promoCodes;
  const words = useWords('promocodes');
  const { now } = useKit();
  const { search, after, ...pages } = useSearchedPages();
  const data = useData(CatalogPromoCodesDocument, {
    after,
    search,
    filter: state === 'all' ? null : { isActive: state === 'on' },
  });
  const [open, setOpen] = useOpenObject();
  const rows = data.data?.promoCodes.nodes ?? [];
  const listed = rows.find(({ id }) => id === open);
  const single = useData(
    CatalogPromoCodeDocument,
    { id: open ?? '' },
    { isPaused: open === null || open === 'new' || listed !== undefined },
  );
  const opened = open === 'new' || open === null ? undefined : (listed ?? single.data?.promoCode);
  const done = () => {
    setOpen(null);
    data.refetch();
  };
  return (
    <CatalogList
      name="promoCodes"
      title={title}
      text={words.text}
      empty={state === 'all' ? words.empty : words.noneInState}
      make={{ label: words.new, onPress: () => setOpen('new') }}
      data={data}
      rows={rows}
      rowKey={({ id }) => id}
      textOf={({ code, offer }) => `${code} ${offer.name}`}
      tabs={<StateTabs name="promoCodes" label={words.state} texts={words.filters} />}
      columns={[
        {
          id: 'code',
          title: words.code,
          cell: ({ id, code }) => (
            <Row gap={1} wrap={false}>
              <Link href={addressOf('promoCodes', null, { open: id })}>
                <Text code>{code}</Text>
              </Link>
              <CopyButton value={code} />
            </Row>
          ),
        },
        {
          id: 'offer',
          title: words.offer,
          priority: 'secondary',
          cell: ({ offer }) => (
            <Link kind="muted" href={addressOf('offers', null, { open: offer.id })}>
              {offer.name}
            </Link>
          ),
        },
        {
          id: 'state',
          title: words.state,
          cell: (code) => {
            const at = stateOf(code, now());
            return <Status tone={tones[at]}>{words.states[at]}</Status>;
          },
        },
        {
          id: 'redeemed',
          title: words.redeemed,
          align: 'end',
          cell: ({ redemptionCount, maxRedemptions }) =>
            words.redemptions({
              count: redemptionCount,
              most: maxRedemptions ?? 0,
              isLimited: maxRedemptions !== null,
            }),
        },
        {
          id: 'expires',
          title: words.expires,
          align: 'end',
          priority: 'secondary',
          cell: ({ expiresAt }) =>
            expiresAt === null ? <Text color="faint">{words.never}</Text> : <DateText at={expiresAt} />,
        },
      ]}
    >
      <PageButtons {...pages} info={data.data?.promoCodes.pageInfo} />
      {open === 'new' && <NewCodesSheet onClose={() => setOpen(null)} onDone={done} />}
      {opened !== undefined && (
        <CodeSheet key={opened.id} code={opened} onClose={() => setOpen(null)} onDone={done} />
      )}
      {rows.length > 0 && (
        <Text size="sm" color="muted">
          {words.note}
        </Text>
      )}
    </CatalogList>
  );
}
