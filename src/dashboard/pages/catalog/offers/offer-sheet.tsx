import { useState } from 'react';
import type { ResultOf } from '../../../../ui/documents.ts';
import { ApiError } from '../../../data/api-error.ts';
import { useAction } from '../../../data/hooks.ts';
import { Badge } from '../../../kit/badge.tsx';
import { Button } from '../../../kit/button.tsx';
import { Switch } from '../../../kit/choice.tsx';
import { DateTimeField } from '../../../kit/date-field.tsx';
import { ConfirmDialog } from '../../../kit/dialog.tsx';
import { Row, Stack } from '../../../kit/layout.tsx';
import { MoneyField } from '../../../kit/number-field.tsx';
import { Select } from '../../../kit/select.tsx';
import { Heading, Text } from '../../../kit/text.tsx';
import { TextField } from '../../../kit/text-field.tsx';
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
import { Rejection } from '../../../parts/catalog/rejection.tsx';
import { useCurrencies } from '../../../parts/places.ts';
import type { catalog } from '../../../words/en/catalog.ts';
import type { offers } from '../../../words/en/offers.ts';
import { useWords } from '../../../words/words.ts';
import { EditSheet } from '../parts/edit-sheet.tsx';
import { PhaseTable } from '../parts/phase-table.tsx';
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

/** Where an offer can be used, by its phases. */
function Fits({ phases }: { readonly phases: readonly PhaseDraft[] }) {
  const { fits: words } = useWords<typeof offers>('offers');
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

/** What an offer comes to on an example price. */
function Results({
  phases,
  currencies,
}: {
  readonly phases: readonly PhaseDraft[];
  readonly currencies: readonly string[];
}) {
  const { results: words } = useWords<typeof offers>('offers');
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
  /** Null for a new offer. */
  readonly offer: Offer | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Builds an offer or edits one: phases on a line, and what the customer pays by them. */
export function OfferSheet({ offer, onClose, onDone }: OfferSheetProps) {
  const { sheet: words } = useWords<typeof offers>('offers');
  const common = useWords<typeof catalog>('catalog');
  const [values, setValues] = useState(() => valuesOf(offer));
  const [isChanged, setChanged] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [create, creating] = useAction(CatalogOfferCreateDocument);
  const [update, updating] = useAction(CatalogOfferUpdateDocument);
  const [remove, removing] = useAction(CatalogOfferDeleteDocument);
  const currencies = useCurrencies();
  const set = (changes: Partial<Values>) => {
    setChanged(true);
    setValues({ ...values, ...changes });
  };
  const save = async () => {
    const { phases, ...others } = values;
    const input = { ...others, phases: phaseInputs(phases) };
    const result =
      offer === null ? await create({ input }) : await update({ input: { id: offer.id, ...input } });
    if (!(result instanceof ApiError)) onDone();
  };
  const confirm = async () => {
    if (offer === null) return;
    if (!((await remove({ input: { id: offer.id } })) instanceof ApiError)) onDone();
  };
  const isReady =
    values.name.trim() !== '' && values.phases.length > 0 && phaseProblems(values.phases).length === 0;
  return (
    <EditSheet
      size="lg"
      title={offer?.name ?? words.new}
      save={offer === null ? words.create : common.verbs.save}
      isReady={isReady && (offer === null || isChanged)}
      isChanged={isChanged}
      onSave={() => void save()}
      onClose={onClose}
      isRunning={creating.isRunning || updating.isRunning}
      error={creating.error ?? updating.error}
      others={
        offer !== null && (
          <Button kind="quiet" onPress={() => setAsking(true)}>
            {common.verbs.delete}
          </Button>
        )
      }
    >
      <Stack gap={5}>
        <TextField
          label={common.name}
          name="name"
          help={words.nameHelp}
          value={values.name}
          onChange={(name) => set({ name })}
          maxLength={200}
          autoFocus
        />
        <Stack gap={3}>
          <Heading level={3}>{words.phases}</Heading>
          <PhaseEditor
            phases={values.phases}
            currencies={currencies}
            onChange={(phases) => set({ phases })}
          />
          <Fits phases={values.phases} />
        </Stack>
        <Results phases={values.phases} currencies={currencies} />
        <Stack gap={3}>
          <Heading level={3}>{words.window}</Heading>
          <Switch isSelected={values.active} onChange={(active) => set({ active })} help={words.activeHelp}>
            {words.active}
          </Switch>
          <Row gap={3} align="start">
            <DateTimeField
              label={words.from}
              value={values.startsAt}
              onChange={(startsAt) => set({ startsAt })}
            />
            <DateTimeField label={words.until} value={values.endsAt} onChange={(endsAt) => set({ endsAt })} />
          </Row>
          {offer !== null && isChanged && <Text color="muted">{words.changeText}</Text>}
        </Stack>
        {offer !== null && <OfferPlaces offer={offer} phases={values.phases} />}
      </Stack>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.deleteTitle(offer?.name ?? '')}
        confirm={common.verbs.delete}
        isPending={removing.isRunning}
        onConfirm={() => void confirm()}
      >
        <Stack gap={3}>
          <Text>{words.deleteText}</Text>
          <Text weight="medium">{words.uses(offer?.applied ?? 0)}</Text>
          <Rejection error={removing.error} />
        </Stack>
      </ConfirmDialog>
    </EditSheet>
  );
}
