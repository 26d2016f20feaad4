import { dateText, dayStart } from '../../../ui/format/dates.ts';
import { moneyText } from '../../../ui/format/money.ts';
import { countText } from '../../../ui/format/numbers.ts';
import type { Words } from '../../words/words.ts';
import type { Filter, FilterField } from './filters.ts';

type Language = { readonly locale: string; readonly words: Words['kit'] };

/** Returns the text of a duration such as `30d`. */
export function spanText(value: string, { words }: Language): string {
  const units = words.spans;
  const unit = value.at(-1) as keyof typeof units;
  return units[unit]({ count: Number.parseInt(value, 10) });
}

function valueText(field: FilterField, filter: Filter, value: string, language: Language): string {
  const { locale, words } = language;
  switch (field.kind) {
    case 'choice':
      return field.options.find((option) => option.value === value)?.label ?? '…';
    case 'boolean':
      return value === 'true' ? words.yes : words.no;
    case 'number':
      return countText(Number(value), locale);
    case 'money':
      return moneyText(Number(value), field.currency, locale);
    case 'date':
      return filter.comparison === 'last' || filter.comparison === 'next'
        ? spanText(value, language)
        : dateText(dayStart(value), { locale });
    default:
      return value;
  }
}

/** Returns the text of a filter, such as `Created in the last 30 days` or `Status is Active, Paused`. */
export function filterWords(filter: Filter, field: FilterField, language: Language): string {
  const { words, locale } = language;
  const values = filter.values.map((value) => valueText(field, filter, value, language));
  const style = filter.comparison === 'between' ? 'conjunction' : 'disjunction';
  const text = new Intl.ListFormat(locale, { type: style }).format(values);
  return `${field.label} ${words.comparisons[filter.comparison]} ${text}`;
}
