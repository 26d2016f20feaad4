import { prepareTemplates } from './template.ts';

export default prepareTemplates;
