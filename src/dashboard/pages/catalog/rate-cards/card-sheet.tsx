import { Callout } from '../../../kit/callout.tsx';
import { Copy } from '../../../kit/copy.tsx';
import { FormGrid } from '../../../kit/form.tsx';
import { Row, Stack } from '../../../kit/layout.tsx';
import { Text } from '../../../kit/text.tsx';
import { CardFields } from '../../../parts/catalog/card-fields.tsx';
import { cardDraftOf, cardInputOf, isValidCard, newCard } from '../../../parts/catalog/model/card-draft.ts';
import { useWords } from '../../../words/words.ts';
import { CatalogSheet, CodeField, NameField, renamed } from '../parts/catalog-sheet.tsx';
import { ImpactNote } from '../parts/impact-note.tsx';
import { useCatalogEdit } from '../parts/use-catalog-edit.ts';
import {
  CatalogRateCardCreateDocument,
  CatalogRateCardDeleteDocument,
  CatalogRateCardUpdateDocument,
  type CatalogRateCardUseQuery,
  type RateCardTermsFragment,
} from './page.graphql';

type CardSheetProps = {
  /** Rate card to edit. `null` to create a rate card. */
  readonly card: RateCardTermsFragment | null;
  /** Plans with features that refer to the card. `null` if the plans are still loading. */
  readonly plans: CatalogRateCardUseQuery['plans']['nodes'] | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Sheet that creates, edits or deletes a rate card. A change shows the number of affected subscribers before it's saved. */
export function CardSheet({ card, plans, onClose, onDone }: CardSheetProps) {
  const words = useWords('rateCards');
  const edit = useCatalogEdit(card?.id ?? null, {
    create: CatalogRateCardCreateDocument,
    update: CatalogRateCardUpdateDocument,
    remove: CatalogRateCardDeleteDocument,
    stored: {
      name: card?.name ?? '',
      code: card?.code ?? '',
      rates: card === null ? newCard : cardDraftOf(card),
    },
    isReady: ({ name, code, rates }) => name.trim() !== '' && code !== '' && isValidCard(rates),
    inputOf: ({ name, code, rates }) => {
      const input = { name, ...cardInputOf(rates) };
      return { create: { ...input, code }, update: input };
    },
    onDone,
  });
  const { values, change, field, isChanged } = edit.draft;
  const subscribers = (plans ?? []).reduce((sum, plan) => sum + plan.subscriptionCount, 0);
  const names = (plans ?? []).map(({ name }) => name).join(', ');
  return (
    <CatalogSheet
      edit={edit}
      size="lg"
      title={card?.name ?? words.new}
      {...(card !== null && {
        subtitle: (
          <Row gap={3}>
            <Copy value={card.code} />
            <Text color="muted">{words.versionOf({ number: card.version })}</Text>
          </Row>
        ),
      })}
      create={words.create}
      deletion={{
        title: words.deleteTitle({ name: card?.name ?? '' }),
        texts: [words.deleteText],
        isDisabled: plans === null || plans.length > 0,
      }}
      onClose={onClose}
    >
      <Stack gap={4}>
        <FormGrid>
          <NameField
            value={values.name}
            autoFocus
            onChange={(name) => change(card === null ? renamed(values, name) : { name })}
          />
          {card === null && <CodeField {...field('code')} />}
        </FormGrid>
        <CardFields card={values.rates} onChange={(rates) => change({ rates })} />
        {card !== null && plans !== null && (
          <div role="status">
            {names === '' ? (
              <Text color="muted">{words.unusedText}</Text>
            ) : (
              <Callout tone={isChanged ? 'warning' : 'neutral'}>
                {(isChanged ? words.affects : words.usedBy)({ count: subscribers, plans: names })}
                {isChanged && isValidCard(values.rates) && (
                  <ImpactNote change={{ rateCardUpdate: { id: card.id, ...cardInputOf(values.rates) } }} />
                )}
              </Callout>
            )}
          </div>
        )}
      </Stack>
    </CatalogSheet>
  );
}
