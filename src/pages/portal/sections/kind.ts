import type { ComponentType } from 'preact';
import type { Document } from '../../../ui/documents.ts';
import type { PortalFrameFragment } from '../standing.graphql';
import type { PortalActions } from '../use-portal.ts';

/** What every section shows around its content, and the language of the page. */
export type Frame = PortalFrameFragment & { readonly locale: string };

/** What a section is shown from: what the service answered, and what can be done. */
export type SectionProps<Portal extends Frame = Frame> = {
  readonly portal: Portal;
  readonly actions: PortalActions;
};

type SectionVariables = { token: string; link?: string | null };

/** A section of the portal: what it asks for, and what it shows. */
export type Section = {
  readonly document: Document<{ readonly portal: Frame }, SectionVariables>;
  readonly View: ComponentType<SectionProps>;
};

/** A section whose view is shown what its own document asks for. */
export const sectionOf = <Portal extends Frame>(
  document: Document<{ readonly portal: Portal }, SectionVariables>,
  View: ComponentType<SectionProps<Portal>>,
  // What is asked for and what is shown belong together; the list of sections knows of both only what all have.
): Section => ({ document, View: View as ComponentType<SectionProps> });
