import { dateText } from '../../../../ui/format/dates.ts';
import { boundedCountText } from '../../../../ui/format/numbers.ts';
import { addressOf } from '../../../address.ts';
import { useData } from '../../../data/hooks.ts';
import { Stack } from '../../../kit/layout.tsx';
import { Link } from '../../../kit/link.tsx';
import { useKit } from '../../../kit/provider.tsx';
import { Text } from '../../../kit/text.tsx';
import type { catalog } from '../../../words/en/catalog.ts';
import { useWords } from '../../../words/words.ts';
import { CatalogImpactOfDocument, type CatalogImpactShownFragment } from './impact.graphql';
import type { ImpactQuestion } from './impact-change.ts';

/** What is said of when a change is felt: who is on a plan that is deleted keeps the plan, not a price. */
const whenOf = (
  { change }: ImpactQuestion,
  { when }: CatalogImpactShownFragment,
): CatalogImpactShownFragment['when'] | 'plan_kept' =>
  when === 'new_subscriptions' && 'planDelete' in change ? 'plan_kept' : when;

/** Whom a change concerns, when, and in whose favor, before it is saved; with the first of those concerned. */
export function ImpactNote(question: ImpactQuestion) {
  const { impact: words } = useWords<typeof catalog>('catalog');
  const settings = useKit();
  const { data } = useData(CatalogImpactOfDocument, { change: question.change });
  if (data === null) return null;
  const { terms, ...whole } = data.catalogImpact;
  const impact =
    question.term === undefined ? whole : terms.find(({ term }) => term === question.term)?.impact;
  if (impact === undefined)
    return (
      <Text size="sm" color="muted">
        {words.nothing}
      </Text>
    );
  const { subscribers, when, inFavorOf, firstAt, lastAt, sample } = impact;
  if (subscribers.value === 0)
    return (
      <Text size="sm" color="muted">
        {words.nobody}
      </Text>
    );
  const count = boundedCountText(subscribers, settings.locale);
  const span =
    firstAt === null || lastAt === null || when === 'immediately'
      ? null
      : words.between(dateText(firstAt, settings), dateText(lastAt, settings));
  return (
    <Stack gap={1}>
      <Text size="sm">
        {words.concerned(count, subscribers.value === 1)} {words.when[whenOf(question, impact)]} {span}
      </Text>
      {inFavorOf !== 'neither' && (
        <Text size="sm" color="muted">
          {words.favor[inFavorOf]}
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
