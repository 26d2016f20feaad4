import type { Appearance } from './stripe-script.ts';

// Styles for Stripe's fields. Their frames can't read the design tokens of the page, so they receive the current values.

const darkness = matchMedia('(prefers-color-scheme: dark)');

/** True if the page is dark, either by its own theme or by the system's. */
function isDark(): boolean {
  const { colorScheme } = getComputedStyle(document.documentElement);
  return colorScheme === 'dark' || (colorScheme !== 'light' && darkness.matches);
}

/** Returns the page's colors, corner radius and font at an element, in the current theme. */
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

/** Calls `change` when the system switches between dark and light. Returns a function that unsubscribes. */
export function onDarkness(change: () => void): () => void {
  darkness.addEventListener('change', change);
  return () => darkness.removeEventListener('change', change);
}
