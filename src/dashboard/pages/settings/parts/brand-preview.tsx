import { textOn } from '../../../../domain/text/color.ts';
import { useWords } from '../../../words/words.ts';

/** Logo image with its size in pixels. The size is `null` until the image is loaded. */
type Logo = {
  readonly url: string;
  readonly width: number | null;
  readonly height: number | null;
};

type BrandPreviewProps = {
  readonly name: string;
  readonly logo: Logo | null;
  readonly color: string;
  readonly radius: number;
  readonly font: keyof typeof fonts;
  readonly isDark: boolean;
};

const fonts = {
  system: 'system-ui, sans-serif',
  serif: 'Georgia, serif',
  mono: 'ui-monospace, monospace',
  rounded: 'ui-rounded, system-ui, sans-serif',
} as const;

const paper = {
  light: { page: '#f4f5f7', card: '#ffffff', text: '#16181d', quiet: '#5c6370', line: '#d9dce1' },
  dark: { page: '#0f1115', card: '#1a1d23', text: '#f2f3f5', quiet: '#a4abb8', line: '#363b45' },
} as const;

/** Maximum size of the logo in the preview, in pixels. */
const logoRoom = { width: 142, height: 32 } as const;

/** Returns the displayed width of the logo, in pixels. */
const logoWidth = ({ width, height }: Logo): number =>
  width === null || height === null
    ? 40
    : Math.min(logoRoom.width, Math.max(1, (logoRoom.height * width) / height));

const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

/** Preview of the checkout with the organization's branding. */
export function BrandPreview({ name, logo, color, radius, font, isDark }: BrandPreviewProps) {
  const { branding: words } = useWords('settings');
  const colors = isDark ? paper.dark : paper.light;
  const text = { fontFamily: fonts[font], fill: colors.text };
  return (
    <svg viewBox="0 0 360 300" width="100%" role="img" aria-label={words.preview}>
      <rect width="360" height="300" rx="8" fill={colors.page} />
      <rect x="30" y="24" width="300" height="252" rx={radius} fill={colors.card} stroke={colors.line} />
      {logo !== null && (
        <image
          href={logo.url}
          x="50"
          y="40"
          width={logoWidth(logo)}
          height={logoRoom.height}
          preserveAspectRatio="xMinYMid meet"
        />
      )}
      <text {...text} x={logo === null ? 50 : 60 + logoWidth(logo)} y="61" fontSize="14" fontWeight="600">
        {shortened(name, logo === null ? 26 : 14)}
      </text>
      <text {...text} x="50" y="104" fontSize="13" fill={colors.quiet}>
        {words.previewPlan}
      </text>
      <text {...text} x="50" y="130" fontSize="22" fontWeight="700">
        {words.previewPrice}
      </text>
      <text {...text} x="50" y="160" fontSize="11" fill={colors.quiet}>
        {words.previewCard}
      </text>
      <rect
        x="50"
        y="168"
        width="260"
        height="34"
        rx={Math.min(radius, 17)}
        fill={colors.card}
        stroke={colors.line}
      />
      <text {...text} x="62" y="190" fontSize="12" fill={colors.quiet}>
        4242 4242 4242 4242
      </text>
      <rect x="50" y="218" width="260" height="38" rx={Math.min(radius, 19)} fill={color} />
      <text {...text} x="180" y="242" fontSize="13" fontWeight="600" fill={textOn(color)} textAnchor="middle">
        {words.previewPay}
      </text>
    </svg>
  );
}
