// The seller at the head of a page: its name, its logo and its color.

import { element } from './page.js';

/** The grounds text and buttons stand on, in light and in dark, and what a color is mixed with to stand out from them. */
const grounds = {
  light: { ground: [255, 255, 255], toward: [0, 0, 0] },
  dark: { ground: [26, 30, 35], toward: [255, 255, 255] },
};

/** The least contrast of text, by WCAG AA. */
const leastContrast = 4.5;

/** @param {number[]} color */
function luminance(color) {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @param {number[]} a @param {number[]} b */
function contrast(a, b) {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** The color itself, or as little darker or lighter as makes it readable on the ground. @param {number[]} color @param {{ ground: number[], toward: number[] }} on */
function readable(color, { ground, toward }) {
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = color.map((value, index) => Math.round(value + ((toward[index] ?? 0) - value) * share));
    if (contrast(mixed, ground) >= leastContrast) return mixed;
  }
  return toward;
}

/** Gives the page the color of the seller. @param {string | null} accentColor */
function paint(accentColor) {
  const digits = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(accentColor ?? '');
  if (digits === null) return;
  const color = digits.slice(1).map((part) => Number.parseInt(part, 16));
  for (const [scheme, on] of Object.entries(grounds))
    document.documentElement.style.setProperty(`--seller-${scheme}`, `rgb(${readable(color, on).join(' ')})`);
}

/** Shows who sells. @param {{ organizationName: string, branding: { accentColor: string | null, logoUrl: string | null } }} of @param {string} more */
export function showSeller({ organizationName, branding: { accentColor, logoUrl } }, more = '') {
  element('seller').textContent = `${organizationName}${more}`;
  paint(accentColor);
  const logo = /** @type {HTMLImageElement} */ (document.getElementById('logo'));
  if (logoUrl === null || !logoUrl.startsWith('https:') || logo.src === logoUrl) return;
  logo.onload = () => {
    logo.hidden = false;
  };
  logo.src = logoUrl;
}
