import { lazyPart } from '../kit/lazy-part.tsx';

// Fields of the commands' forms, loaded when a dialog first shows them. Pages load all commands, but most visits don't open a dialog.

export const Select = lazyPart(() => import('../kit/select.tsx').then((module) => module.Select));
export const NumberField = lazyPart(() =>
  import('../kit/number-field.tsx').then((module) => module.NumberField),
);
export const MoneyField = lazyPart(() =>
  import('../kit/number-field.tsx').then((module) => module.MoneyField),
);
export const RateField = lazyPart(() => import('../kit/number-field.tsx').then((module) => module.RateField));
export const RadioGroup = lazyPart(() => import('../kit/choice.tsx').then((module) => module.RadioGroup));
export const Checkbox = lazyPart(() => import('../kit/choice.tsx').then((module) => module.Checkbox));
export const DateField = lazyPart(() => import('../kit/date-field.tsx').then((module) => module.DateField));
export const TextField = lazyPart(() => import('../kit/text-field.tsx').then((module) => module.TextField));
export const TextArea = lazyPart(() => import('../kit/text-field.tsx').then((module) => module.TextArea));
export const CurrencyField = lazyPart(() =>
  import('../parts/currency-field.tsx').then((module) => module.CurrencyField),
);
