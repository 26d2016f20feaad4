/** Texts of the components. Each can be replaced in the provider. */
export type Texts = {
  /** Text of a meter with a limit. `{used}` and `{included}` are numbers. */
  readonly usedOf: string;
  /** Text of a meter without a limit. */
  readonly used: string;
  readonly checkout: string;
  readonly portal: string;
  readonly failed: string;
  readonly free: string;
  readonly choose: string;
  /** Billing intervals, after a price. */
  readonly intervals: Readonly<Record<string, string>>;
  readonly interval: string;
  readonly unlimited: string;
};

export const texts: Readonly<Record<'en' | 'es', Texts>> = {
  en: {
    usedOf: '{used} of {included} used',
    used: '{used} used',
    checkout: 'Upgrade',
    portal: 'Manage subscription',
    failed: 'Something went wrong. Try again.',
    free: 'Free',
    choose: 'Choose plan',
    intervals: {
      weekly: 'per week',
      monthly: 'per month',
      quarterly: 'per quarter',
      yearly: 'per year',
      one_time: 'once',
    },
    interval: 'Billing interval',
    unlimited: 'Unlimited',
  },
  es: {
    usedOf: '{used} de {included} usados',
    used: '{used} usados',
    checkout: 'Mejorar plan',
    portal: 'Gestionar suscripción',
    failed: 'Algo salió mal. Inténtalo de nuevo.',
    free: 'Gratis',
    choose: 'Elegir plan',
    intervals: {
      weekly: 'por semana',
      monthly: 'al mes',
      quarterly: 'por trimestre',
      yearly: 'al año',
      one_time: 'pago único',
    },
    interval: 'Intervalo de facturación',
    unlimited: 'Ilimitado',
  },
};

/** Inserts values into a text. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
