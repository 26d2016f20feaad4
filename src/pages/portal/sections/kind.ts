import type { ComponentType } from 'preact';
import type { Document } from '../../../ui/documents.ts';
import type { PortalFrameFragment } from '../standing.graphql';
import type { PortalActions } from '../use-portal.ts';

/** Data that all sections share, and the language of the page. */
export type Frame = PortalFrameFragment & { readonly locale: string };

export type SectionProps<Portal extends Frame = Frame> = {
  readonly portal: Portal;
  readonly actions: PortalActions;
};

type SectionVariables = { token: string; link?: string | null };

/** Section of the portal with its query and component. */
export type Section = {
  readonly document: Document<{ readonly portal: Frame }, SectionVariables>;
  readonly View: ComponentType<SectionProps>;
};

export const sectionOf = <Portal extends Frame>(
  document: Document<{ readonly portal: Portal }, SectionVariables>,
  View: ComponentType<SectionProps<Portal>>,
  // The parameters ensure that the query's data fits the component. The list of sections requires the common component type.
): Section => ({ document, View: View as ComponentType<SectionProps> });
