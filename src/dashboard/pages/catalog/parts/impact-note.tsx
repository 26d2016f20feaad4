import { dateText } from '../../../../ui/format/dates.ts';
import { moneyText } from '../../../../ui/format/money.ts';
import { addressOf } from '../../../address.ts';
import { useData } from '../../../data/hooks.ts';
import { Stack } from '../../../kit/layout.tsx';
import { Link } from '../../../kit/link.tsx';
import { useKit } from '../../../kit/provider.tsx';
import { Text } from '../../../kit/text.tsx';
import { useWords, type Words } from '../../../words/words.ts';
import { CatalogImpactOfDocument, type CatalogImpactShownFragment } from './impact.graphql';
import type { ImpactQuestion } from './impact-change.ts';

/**
 * Returns the time at which the change takes effect. Deleting a plan has a separate value, because current subscribers
 * keep the plan.
 */
const whenOf = (
  { change }: ImpactQuestion,
  { when }: CatalogImpactShownFragment,
): CatalogImpactShownFragment['when'] | 'plan_kept' =>
  when === 'new_subscriptions' && 'planDelete' in change ? 'plan_kept' : when;

/** Formats the days on which a change takes effect for current subscribers. */
const spanText = (words: Words['catalog']['impact'], from: string, until: string): string =>
  from === until ? words.on({ day: from }) : words.between({ from, until });

/** Shows the impact of a change before it is saved: affected customers, when it takes effect, and whether customers benefit. */
export function ImpactNote(question: ImpactQuestion) {
  const { impact: words } = useWords('catalog');
  const settings = useKit();
  const { data } = useData(CatalogImpactOfDocument, { change: question.change });
  if (data === null) return null;
  const { terms, lastBills, unknownBills, ...whole } = data.catalogImpact;
  const impact =
    question.term === undefined ? whole : terms.find(({ term }) => term === question.term)?.impact;
  if (impact === undefined)
    return (
      <Text size="sm" color="muted">
        {words.nothing}
      </Text>
    );
  const { subscribers, when, inFavorOf, firstAt, lastAt, sample } = impact;
  // The charges belong to the whole change, so only the first changed term shows them.
  const hasBills = question.term === undefined || terms[0]?.term === question.term;
  if (subscribers.value === 0)
    return (
      <Text size="sm" color="muted">
        {words.nobody}
      </Text>
    );
  const span =
    firstAt === null || lastAt === null || when === 'immediately'
      ? null
      : spanText(words, dateText(firstAt, settings), dateText(lastAt, settings));
  return (
    <Stack gap={1}>
      <Text size="sm">
        {words.concerned({ count: subscribers.value, isExact: subscribers.isExact })}{' '}
        {words.when[whenOf(question, impact)]} {span}
      </Text>
      {inFavorOf !== 'neither' && (
        <Text size="sm" color="muted">
          {words.favor[inFavorOf]}
        </Text>
      )}
      {hasBills &&
        lastBills.map(({ currency, before, after }) => (
          <Text key={currency} size="sm" color="muted">
            {words.lastBill({
              before: moneyText(before, currency, settings.locale),
              after: moneyText(after, currency, settings.locale),
            })}
          </Text>
        ))}
      {hasBills && unknownBills > 0 && (
        <Text size="sm" color="muted">
          {words.unknownBills({ count: unknownBills })}
        </Text>
      )}
      <Text size="sm" color="muted">
        {sample.map(({ id, customer }, place) => (
          <span key={id}>
            {place > 0 && ', '}
            <Link href={addressOf('subscription', { id })}>{customer.fullName}</Link>
          </span>
        ))}
        {subscribers.value > sample.length && words.others}
      </Text>
    </Stack>
  );
}
