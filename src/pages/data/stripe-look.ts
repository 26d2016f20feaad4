import type { Appearance } from './stripe-script.ts';

// Stripe's fields lie in frames, where the tokens of a page do not reach: they are told the values that hold now.

const darkness = matchMedia('(prefers-color-scheme: dark)');

/** Whether a page is dark now, by its own theme or that of the system. */
function isDark(): boolean {
  const { colorScheme } = getComputedStyle(document.documentElement);
  return colorScheme === 'dark' || (colorScheme !== 'light' && darkness.matches);
}

/** The colors, corners and font of the page at a place, in its present theme. */
export function appearanceAt(place: HTMLElement): Appearance {
  const probe = document.createElement('span');
  place.append(probe);
  const computed = getComputedStyle(probe);
  const color = (token: string): string => {
    probe.style.color = `var(--${token})`;
    return computed.color;
  };
  probe.style.borderTopLeftRadius = 'var(--radius)';
  probe.style.fontFamily = 'var(--font)';
  const variables = {
    colorPrimary: color('accent'),
    colorBackground: color('surface'),
    colorText: color('text'),
    colorTextSecondary: color('text-muted'),
    colorTextPlaceholder: color('text-faint'),
    colorDanger: color('negative-text'),
    borderRadius: computed.borderTopLeftRadius,
    fontFamily: computed.fontFamily,
  };
  probe.remove();
  return { theme: isDark() ? 'night' : 'stripe', variables };
}

/** Calls back when the system turns dark or light; answers what ends it. */
export function onDarkness(change: () => void): () => void {
  darkness.addEventListener('change', change);
  return () => darkness.removeEventListener('change', change);
}
