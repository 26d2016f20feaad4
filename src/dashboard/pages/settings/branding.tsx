import { contrastOf, isColor, readableOnWhite, textContrast } from '../../../domain/text/color.ts';
import { base } from '../../data/place.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { RadioGroup } from '../../kit/choice.tsx';
import { ColorField } from '../../kit/color-field.tsx';
import { Card, Columns, Stack } from '../../kit/layout.tsx';
import { NumberField } from '../../kit/number-field.tsx';
import { Select } from '../../kit/select.tsx';
import { Text } from '../../kit/text.tsx';
import { useWords } from '../../words/words.ts';
import { BrandPreview } from './parts/brand-preview.tsx';
import { LogoCard } from './parts/logo-card.tsx';
import { type Draft, type OrganizationSettings, SettingsPage } from './parts/settings-page.tsx';

/** Default accent color of pages and documents. */
const ours = '#086a5e';

const read = ({ accentColor, pageTheme }: OrganizationSettings) => ({
  accentColor: accentColor ?? '',
  mode: pageTheme.mode,
  font: pageTheme.font,
  radius: pageTheme.radius,
});

type Values = ReturnType<typeof read>;

/** The API has a separate input for the theme of pages. */
function write({ accentColor, ...theme }: Partial<Values>): Readonly<Record<string, unknown>> {
  return {
    ...(accentColor !== undefined && { accentColor }),
    ...(Object.keys(theme).length > 0 && { pageTheme: theme }),
  };
}

/** Warns if a color has low contrast, and suggests a darker or lighter shade. */
function ColorHint({ values, change }: Pick<Draft<Values>, 'values' | 'change'>) {
  const { branding: words } = useWords('settings');
  const { accentColor: color } = values;
  if (color === '') return <Text color="muted">{words.colorNone}</Text>;
  if (!isColor(color)) return <Callout tone="warning">{words.colorInvalid}</Callout>;
  const contrast = contrastOf(color, '#ffffff');
  if (contrast >= textContrast)
    return <Text color="positive">{words.contrastGood({ ratio: contrast.toFixed(1) })}</Text>;
  const better = readableOnWhite(color);
  return (
    <Callout
      tone="warning"
      actions={
        <Button size="sm" onPress={() => change({ accentColor: better })}>
          {words.takeColor({ color: better })}
        </Button>
      }
    >
      {words.contrastLow({ ratio: contrast.toFixed(1) })}
    </Callout>
  );
}

function ThemeFields({ values, change }: Draft<Values>) {
  const { branding: words } = useWords('settings');
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

/** The dashboard doesn't load images from other hosts, but customer pages and emails do. */
const isOwn = (url: string): boolean => url.startsWith(`${location.origin}${base}/`);

/** Previews of the checkout in the selected themes. */
function Previews({ values, organization }: Draft<Values>) {
  const { branding: words } = useWords('settings');
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

/** Settings for the logo, color and theme of customer pages. */
export default function BrandingPage() {
  const title = useWords('titles').branding;
  const { branding: words } = useWords('settings');
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
