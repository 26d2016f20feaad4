import { addressOf } from '../../../address.ts';
import { useData } from '../../../data/hooks.ts';
import { Status } from '../../../kit/badge.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { lazyPart } from '../../../kit/lazy-part.tsx';
import { Link } from '../../../kit/link.tsx';
import { useKit } from '../../../kit/provider.tsx';
import { Text } from '../../../kit/text.tsx';
import { Count } from '../../../kit/values.tsx';
import { type PhaseAnswer, phaseDrafts } from '../../../parts/catalog/model/phases.ts';
import { useWords } from '../../../words/words.ts';
import { CatalogList } from '../parts/catalog-list.tsx';
import { PageButtons, useSearchedPages } from '../parts/searched-pages.tsx';
import { type ShownState, StateTabs, useShownState } from '../parts/state-tabs.tsx';
import { useOpenObject } from '../parts/use-catalog-page.ts';
import type { Offer } from './offer-sheet.tsx';
import { offerText } from './offer-text.ts';
import { CatalogOfferDocument, CatalogOffersDocument } from './page.graphql';

const OfferSheet = lazyPart(() => import('./offer-sheet.tsx').then((module) => module.OfferSheet));

/** Returns the state of an offer at a time: available, scheduled, ended, or disabled. */
function stateOf({ active, startsAt, endsAt }: Offer, now: Date): 'on' | 'off' | 'planned' | 'over' {
  if (!active) return 'off';
  if (startsAt !== null && new Date(startsAt) > now) return 'planned';
  return endsAt !== null && new Date(endsAt) <= now ? 'over' : 'on';
}

const tones = { on: 'positive', off: 'neutral', planned: 'info', over: 'neutral' } as const;

/** Lists offers with their benefits and number of applications. */
export default function OffersPage() {
  const state = useShownState();
  return <Offers key={state} state={state} />;
}

function Offers({ state }: { readonly state: ShownState }) {
  const title = useWords('titles').offers;
  const words = useWords('offers');
  const common = useWords('catalog');
  const { locale, now } = useKit();
  const { search, after, ...pages } = useSearchedPages();
  const data = useData(CatalogOffersDocument, {
    after,
    search,
    filter: state === 'all' ? null : { isActive: state === 'on' },
  });
  const [open, setOpen] = useOpenObject();
  const rows = data.data?.offers.nodes ?? [];
  const listed = rows.find(({ id }) => id === open);
  const single = useData(
    CatalogOfferDocument,
    { id: open ?? '' },
    { isPaused: open === null || open === 'new' || listed !== undefined },
  );
  const opened = open === 'new' || open === null ? undefined : (listed ?? single.data?.offer ?? undefined);
  const done = () => {
    setOpen(null);
    data.refetch();
  };
  return (
    <CatalogList
      name="offers"
      title={title}
      text={words.text}
      empty={state === 'all' ? words.empty : words.noneInState}
      make={{ label: words.sheet.new, onPress: () => setOpen('new') }}
      data={data}
      rows={rows}
      rowKey={({ id }) => id}
      textOf={({ name }) => name}
      tabs={<StateTabs name="offers" label={words.state} texts={words.filters} />}
      columns={[
        {
          id: 'name',
          title: common.name,
          cell: ({ id, name, phases }) => (
            <Stack gap={0} align="start">
              <Link href={addressOf('offers', null, { open: id })}>{name}</Link>
              <Text size="sm" color="muted">
                {offerText(phaseDrafts(phases as readonly PhaseAnswer[]), words, locale)}
              </Text>
            </Stack>
          ),
        },
        {
          id: 'state',
          title: words.state,
          cell: (offer) => {
            const at = stateOf(offer, now());
            return <Status tone={tones[at]}>{words.states[at]}</Status>;
          },
        },
        {
          id: 'applied',
          title: words.applied,
          align: 'end',
          cell: ({ applied }) => <Count value={applied} />,
        },
        {
          id: 'quoted',
          title: words.quoted,
          align: 'end',
          priority: 'secondary',
          cell: ({ quoted }) => <Count value={quoted} />,
        },
      ]}
    >
      <PageButtons {...pages} info={data.data?.offers.pageInfo} />
      {open === 'new' && <OfferSheet offer={null} onClose={() => setOpen(null)} onDone={done} />}
      {opened !== undefined && (
        <OfferSheet key={opened.id} offer={opened} onClose={() => setOpen(null)} onDone={done} />
      )}
    </CatalogList>
  );
}
