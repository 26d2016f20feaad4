import { moneyText, rateText } from '../../../../../ui/format/money.ts';
import { basisPointsText, countText } from '../../../../../ui/format/numbers.ts';
import { Badge } from '../../../../kit/badge.tsx';
import { Row, Stack } from '../../../../kit/layout.tsx';
import { useKit } from '../../../../kit/provider.tsx';
import { Table } from '../../../../kit/table.tsx';
import { Text } from '../../../../kit/text.tsx';
import type { Tone } from '../../../../kit/tone.ts';
import type { CardDraft } from '../../../../parts/catalog/model/card-draft.ts';
import type { DerivedDraft } from '../../../../parts/catalog/model/derived-draft.ts';
import type { Interval } from '../../../../parts/catalog/model/plan-draft.ts';
import type { RateDraft } from '../../../../parts/catalog/model/rate-draft.ts';
import type { About, Line, Reach, Step } from '../../../../parts/catalog/model/step.ts';
import { cardSummary, derivedSummary, rateSummary } from '../../../../parts/catalog/rate-summary.ts';
import { useWords, type Words } from '../../../../words/words.ts';
import { type ImpactQuestion, impactQuestion } from '../../parts/impact-change.ts';
import { ImpactNote } from '../../parts/impact-note.tsx';
import type { Surroundings } from './catalog-objects.ts';

type PlanWords = Words['plan'];
type Common = Words['catalog'];

const tones: Readonly<Record<Reach, Tone>> = {
  text: 'neutral',
  visibility: 'neutral',
  changes: 'neutral',
  now: 'positive',
  renewal: 'warning',
  next_period: 'warning',
  lower_price: 'warning',
  reset: 'warning',
  new_only: 'info',
  none: 'neutral',
};

/** Describes the settlement of a feature. */
function settleText(asset: string, { units }: Surroundings, words: PlanWords): string {
  if (asset === 'invoice') return words.features.settleInvoice;
  const name = units.find(({ code }) => code === asset)?.name ?? words.pool.balance.title;
  return words.features.settlePool({ name });
}

/** Formats the old or new value of an unsaved plan change. */
function valueText(
  line: Line,
  value: unknown,
  around: Surroundings,
  words: PlanWords,
  common: Common,
  locale: string,
): string {
  const { review } = words;
  if (value === null || value === '') return review.none;
  if (typeof value === 'boolean') {
    if (line.what === 'visibility') return value ? review.public : review.hidden;
    return value ? review.yes : review.no;
  }
  if (value === 'ai_models' && line.what === 'cost') return words.cost.ai_models;
  if (typeof value === 'object' && 'modifiers' in value)
    return derivedSummary(words.rate, value as DerivedDraft, locale);
  if (typeof value === 'object' && 'cells' in value) {
    const card = value as CardDraft;
    return around.rateCards.find(({ id }) => id === card.rateCardId)?.name ?? cardSummary(words.card, card);
  }
  if (typeof value === 'object' && 'tiers' in value) return rateSummary(words.rate, value as RateDraft);
  if (typeof value === 'object') {
    const { currency, price } = value as { currency: string; price: number };
    return moneyText(price, currency, locale);
  }
  if (typeof value === 'number') {
    if (line.kind === 'money') return moneyText(value, line.currency ?? 'usd', locale);
    if (line.kind === 'rate') return rateText(value, line.currency ?? 'usd', locale);
    if (line.kind === 'share') return basisPointsText(value, locale);
    if (line.kind === 'days') return words.prices.days({ count: value });
    return line.kind === 'exchange' ? String(value) : countText(value, locale);
  }
  const text = String(value);
  if (line.what === 'settle') return settleText(text, around, words);
  if (line.what === 'group') return around.groups.find(({ id }) => id === text)?.name ?? text;
  if (line.what === 'offer') return around.offers.find(({ id }) => id === text)?.name ?? text;
  if (line.what === 'default') return common.intervals[text as Interval];
  if (line.what === 'pricingMode')
    return text === 'ai_model' ? words.features.modelPrice : words.features.fixedPrice;
  return text;
}

/** Returns the name of a changed value, such as "Unit price" or "Monthly in BRL". */
function nameOf({ what }: Line, around: Surroundings, words: PlanWords, common: Common): string {
  const [kind = '', detail = ''] = what.split(/:(.*)/s);
  const { lines } = words.review;
  if (kind === 'market')
    return lines.market({ name: around.markets.find(({ id }) => id === detail)?.name ?? detail });
  if (kind === 'amount') return common.intervals[detail as Interval];
  if (kind === 'amountIn') return lines.amountIn({ currency: detail.toUpperCase() });
  if (kind === 'unit') return lines.unit({ feature: detail });
  return (lines.byWhat as Readonly<Record<string, string>>)[kind] ?? kind;
}

const aboutText = (about: About, words: PlanWords, common: Common): string => {
  if (about === null) return words.review.plan;
  if ('feature' in about) return about.feature;
  if ('currency' in about) return about.currency.toUpperCase();
  const interval = common.intervals[about.interval as Interval];
  return about.label === '' ? interval : words.prices.variantOf({ name: about.label, interval });
};

type ChangeTableProps = {
  readonly planId: string;
  readonly steps: readonly Step[];
  readonly surroundings: Surroundings;
  /**
   * Returns the number of current subscribers with a billing interval. If the interval is `null`, counts all subscribers. Returns `null` while
   * loading.
   */
  readonly subscribers: (interval: Interval | null) => number | null;
};

type ChangeRow = {
  readonly key: string;
  readonly about: About;
  readonly line: Line;
  /** Impact query for the change. `null` if the text shown with the change already states which subscribers are affected. */
  readonly impact: ImpactQuestion | null;
};

/** Lists changes with their old and new values, and their effect on current subscribers. */
export function ChangeTable({ planId, steps, surroundings, subscribers }: ChangeTableProps) {
  const words = useWords('plan');
  const common = useWords('catalog');
  const { locale } = useKit();
  const rows = steps.flatMap((step, place) =>
    step.lines.map(
      (line): ChangeRow => ({
        key: `${place} ${step.command} ${line.what}`,
        about: step.about,
        line,
        impact: impactQuestion(planId, step, line),
      }),
    ),
  );
  const show = (line: Line, value: unknown) => valueText(line, value, surroundings, words, common, locale);
  const audience = ({ about, line, impact }: ChangeRow): string | null => {
    if (impact !== null) return null;
    if (['new_only', 'visibility', 'text', 'changes', 'none'].includes(line.reaches)) return null;
    const interval = about !== null && 'interval' in about ? (about.interval as Interval) : null;
    const count = subscribers(interval);
    return count === null ? null : words.subscribers({ count });
  };
  return (
    <Table
      label={words.review.title}
      rows={rows}
      rowKey={({ key }) => key}
      columns={[
        {
          id: 'what',
          title: words.review.what,
          cell: ({ about, line }) => (
            <Stack gap={0}>
              <Text weight="medium">{nameOf(line, surroundings, words, common)}</Text>
              <Text size="sm" color="muted">
                {aboutText(about, words, common)}
              </Text>
            </Stack>
          ),
        },
        {
          id: 'change',
          title: words.review.change,
          cell: ({ line }) => (
            <Row gap={2}>
              <Text color="muted" struck={line.from !== null && line.from !== ''}>
                {show(line, line.from)}
              </Text>
              <Text weight="medium">{words.review.arrow({ to: show(line, line.to) })}</Text>
            </Row>
          ),
        },
        {
          id: 'reaches',
          title: words.review.reaches,
          cell: (row) => (
            <Stack gap={1} align="start">
              <Badge tone={tones[row.line.reaches]}>{words.review.reach[row.line.reaches]}</Badge>
              {row.impact !== null && <ImpactNote {...row.impact} />}
              {audience(row) !== null && (
                <Text size="sm" color="muted">
                  {audience(row)}
                </Text>
              )}
            </Stack>
          ),
        },
      ]}
    />
  );
}
