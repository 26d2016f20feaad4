import { contrastOf, isColor, readableOnWhite, textContrast } from '../../../domain/color.ts';
import { base } from '../../data/place.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { RadioGroup } from '../../kit/choice.tsx';
import { ColorField } from '../../kit/color-field.tsx';
import { Card, Columns, Stack } from '../../kit/layout.tsx';
import { NumberField } from '../../kit/number-field.tsx';
import { Select } from '../../kit/select.tsx';
import { Text } from '../../kit/text.tsx';
import type { settings } from '../../words/en/settings.ts';
import type { titles } from '../../words/en/titles.ts';
import { useWords } from '../../words/words.ts';
import { BrandPreview } from './parts/brand-preview.tsx';
import { LogoCard } from './parts/logo-card.tsx';
import { type Draft, type OrganizationSettings, SettingsPage } from './parts/settings-page.tsx';

/** The color of pages and documents where the organization has none. */
const ours = '#3a55d9';

const read = ({ accentColor, pageTheme }: OrganizationSettings) => ({
  accentColor: accentColor ?? '',
  mode: pageTheme.mode,
  font: pageTheme.font,
  radius: pageTheme.radius,
});

type Values = ReturnType<typeof read>;

/** The theme of pages is an input of its own. */
function write({ accentColor, ...theme }: Partial<Values>): Readonly<Record<string, unknown>> {
  return {
    ...(accentColor !== undefined && { accentColor }),
    ...(Object.keys(theme).length > 0 && { pageTheme: theme }),
  };
}

/** Whether a color can be read, with a shade of it that can. */
function ColorHint({ values, change }: Pick<Draft<Values>, 'values' | 'change'>) {
  const { branding: words } = useWords<typeof settings>('settings');
  const { accentColor: color } = values;
  if (color === '') return <Text color="muted">{words.colorNone}</Text>;
  if (!isColor(color)) return <Callout tone="warning">{words.colorInvalid}</Callout>;
  const contrast = contrastOf(color, '#ffffff');
  if (contrast >= textContrast)
    return <Text color="positive">{words.contrastGood(contrast.toFixed(1))}</Text>;
  const better = readableOnWhite(color);
  return (
    <Callout
      tone="warning"
      actions={
        <Button size="sm" onPress={() => change({ accentColor: better })}>
          {words.takeColor(better)}
        </Button>
      }
    >
      {words.contrastLow(contrast.toFixed(1))}
    </Callout>
  );
}

/** The color and the theme of pages. */
function ThemeFields({ values, change }: Draft<Values>) {
  const { branding: words } = useWords<typeof settings>('settings');
  return (
    <Card title={words.theme}>
      <Stack gap={4}>
        <ColorField
          name="accentColor"
          label={words.color}
          help={words.colorHelp}
          value={values.accentColor}
          onChange={(accentColor) => change({ accentColor })}
          initial={ours}
          isOptional
        />
        <ColorHint values={values} change={change} />
        <RadioGroup
          label={words.mode}
          value={values.mode}
          onChange={(mode) => change({ mode: mode as Values['mode'] })}
          options={(['auto', 'light', 'dark'] as const).map((value) => ({
            value,
            label: words.modes[value],
          }))}
        />
        <Select
          name="font"
          label={words.font}
          value={values.font}
          onChange={(font) => change({ font: font as Values['font'] })}
          options={(['system', 'serif', 'rounded', 'mono'] as const).map((value) => ({
            value,
            label: words.fonts[value],
          }))}
        />
        <NumberField
          name="radius"
          label={words.radius}
          value={values.radius}
          onChange={(radius) => change({ radius: Number.isNaN(radius) ? 0 : radius })}
          minValue={0}
          maxValue={24}
          after="px"
        />
      </Stack>
    </Card>
  );
}

/** Pictures of other hosts are not loaded here; customers' pages and emails show them. */
const isOwn = (url: string): boolean => url.startsWith(`${location.origin}${base}/`);

/** What customers see, in the themes the pages can have. */
function Previews({ values, organization }: Draft<Values>) {
  const { branding: words } = useWords<typeof settings>('settings');
  const { name, logoUrl, logoWidth: width, logoHeight: height } = organization;
  const logo = logoUrl !== null && isOwn(logoUrl) ? { url: logoUrl, width, height } : null;
  const themes = values.mode === 'auto' ? ([false, true] as const) : [values.mode === 'dark'];
  return (
    <Card title={words.preview}>
      <Stack gap={4}>
        {themes.map((isDark) => (
          <BrandPreview
            key={String(isDark)}
            name={name}
            logo={logo}
            color={isColor(values.accentColor) ? values.accentColor : ours}
            radius={values.radius}
            font={values.font}
            isDark={isDark}
          />
        ))}
        {logoUrl !== null && logo === null && <Text color="muted">{words.foreignLogo}</Text>}
      </Stack>
    </Card>
  );
}

/** Logo, color and theme of what customers see. */
export default function BrandingPage() {
  const title = useWords<typeof titles>('titles').branding;
  const { branding: words } = useWords<typeof settings>('settings');
  return (
    <SettingsPage title={title} text={words.text} read={read} write={write}>
      {(draft) => (
        <Columns count="aside">
          <Stack gap={5}>
            <LogoCard logoUrl={draft.organization.logoUrl} />
            <ThemeFields {...draft} />
          </Stack>
          <Previews {...draft} />
        </Columns>
      )}
    </SettingsPage>
  );
}
