import { useState } from 'react';
import type { ResultOf } from '../../../../ui/documents.ts';
import { Badge } from '../../../kit/badge.tsx';
import { Switch } from '../../../kit/choice.tsx';
import { DateTimeField } from '../../../kit/date-field.tsx';
import { Row, Stack } from '../../../kit/layout.tsx';
import { MoneyField } from '../../../kit/number-field.tsx';
import { Select } from '../../../kit/select.tsx';
import { Heading, Text } from '../../../kit/text.tsx';
import {
  isForCards,
  isForPromoCode,
  isIntroductory,
  type PhaseAnswer,
  type PhaseDraft,
  phaseDrafts,
  phaseInputs,
  phaseProblems,
} from '../../../parts/catalog/model/phases.ts';
import { useCurrencies } from '../../../parts/countries.ts';
import { useWords } from '../../../words/words.ts';
import { CatalogSheet, NameField } from '../parts/catalog-sheet.tsx';
import { PhaseTable } from '../parts/phase-table.tsx';
import { useCatalogEdit } from '../parts/use-catalog-edit.ts';
import { OfferPlaces } from './offer-places.tsx';
import {
  CatalogOfferCreateDocument,
  CatalogOfferDeleteDocument,
  type CatalogOffersDocument,
  CatalogOfferUpdateDocument,
} from './page.graphql';
import { newPhase, PhaseEditor } from './phase-editor.tsx';

export type Offer = ResultOf<typeof CatalogOffersDocument>['offers']['nodes'][number];

type Values = {
  readonly name: string;
  readonly active: boolean;
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly phases: readonly PhaseDraft[];
};

const valuesOf = (offer: Offer | null): Values => ({
  name: offer?.name ?? '',
  active: offer?.active ?? true,
  startsAt: offer?.startsAt ?? null,
  endsAt: offer?.endsAt ?? null,
  phases: offer === null ? [newPhase('percentage')] : phaseDrafts(offer.phases as readonly PhaseAnswer[]),
});

/** Explains where an offer can be used, depending on its phases. */
function Fits({ phases }: { readonly phases: readonly PhaseDraft[] }) {
  const { fits: words } = useWords('offers');
  const places = [
    [isIntroductory(phases), words.introductory],
    [isForPromoCode(phases), words.promoCode],
    [isForCards(phases), words.cards],
    [true, words.direct],
  ] as const;
  return (
    <Row gap={1}>
      <Text size="sm" color="muted">
        {words.title}
      </Text>
      {places
        .filter(([isFitting]) => isFitting)
        .map(([, label]) => (
          <Badge key={label} tone="info">
            {label}
          </Badge>
        ))}
    </Row>
  );
}

/** Shows the effect of an offer on an example price. */
function Results({
  phases,
  currencies,
}: {
  readonly phases: readonly PhaseDraft[];
  readonly currencies: readonly string[];
}) {
  const { results: words } = useWords('offers');
  const [currency, setCurrency] = useState('usd');
  const [base, setBase] = useState(4_900);
  return (
    <Stack gap={3}>
      <Heading level={3}>{words.title}</Heading>
      <Row gap={3} align="end">
        <MoneyField
          label={words.examplePrice}
          currency={currency}
          value={base}
          onChange={(amount) => amount !== null && setBase(amount)}
        />
        <Select
          label={words.currency}
          value={currency}
          onChange={setCurrency}
          options={currencies.map((code) => ({ value: code, label: code.toUpperCase() }))}
        />
      </Row>
      <PhaseTable phases={phases} base={base} currency={currency} />
    </Stack>
  );
}

type OfferSheetProps = {
  /** Offer to edit. `null` to create an offer. */
  readonly offer: Offer | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Sheet that creates or edits an offer. Shows its phases on a timeline and the amounts that a customer pays. */
export function OfferSheet({ offer, onClose, onDone }: OfferSheetProps) {
  const { sheet: words } = useWords('offers');
  const [stored] = useState(() => valuesOf(offer));
  const edit = useCatalogEdit(offer?.id ?? null, {
    create: CatalogOfferCreateDocument,
    update: CatalogOfferUpdateDocument,
    remove: CatalogOfferDeleteDocument,
    stored,
    isReady: ({ name, phases }) =>
      name.trim() !== '' && phases.length > 0 && phaseProblems(phases).length === 0,
    inputOf: ({ phases, ...others }) => {
      const input = { ...others, phases: phaseInputs(phases) };
      return { create: input, update: input };
    },
    onDone,
  });
  const currencies = useCurrencies();
  const { values, change, isChanged, choice, field } = edit.draft;
  return (
    <CatalogSheet
      edit={edit}
      size="lg"
      title={offer?.name ?? words.new}
      create={words.create}
      deletion={{
        title: words.deleteTitle({ name: offer?.name ?? '' }),
        texts: [words.deleteText, words.uses({ count: offer?.applied ?? 0 })],
      }}
      onClose={onClose}
    >
      <Stack gap={5}>
        <NameField help={words.nameHelp} {...field('name')} />
        <Stack gap={3}>
          <Heading level={3}>{words.phases}</Heading>
          <PhaseEditor
            phases={values.phases}
            currencies={currencies}
            onChange={(phases) => change({ phases })}
          />
          <Fits phases={values.phases} />
        </Stack>
        <Results phases={values.phases} currencies={currencies} />
        <Stack gap={3}>
          <Heading level={3}>{words.window}</Heading>
          <Switch {...choice('active')} help={words.activeHelp}>
            {words.active}
          </Switch>
          <Row gap={3} align="start">
            <DateTimeField label={words.from} {...field('startsAt')} />
            <DateTimeField label={words.until} {...field('endsAt')} />
          </Row>
          {offer !== null && isChanged && <Text color="muted">{words.changeText}</Text>}
        </Stack>
        {offer !== null && <OfferPlaces offer={offer} phases={values.phases} />}
      </Stack>
    </CatalogSheet>
  );
}
