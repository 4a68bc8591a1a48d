import 'swagger-ui/dist/swagger-ui.css';
import SwaggerUI, { type FieldProperties, type SecuritySchemes, type SwaggerUISystem } from 'swagger-ui';
import './swagger-ui.css';
import { completeAttributes } from './accessibility.js';
import { GradualSections } from './gradual-sections.js';
import { resolveSubtree } from './resolve-references.js';
import { toImmutable } from './to-immutable.js';

const storageKey = 'keycard.docs.authorization';

/** Remembers credentials until the tab is closed. Swagger UI itself would keep them in `localStorage`. */
const rememberAuthorization = () => {
  const remember = (original: (payload: unknown) => unknown, system: SwaggerUISystem) => (payload: unknown) => {
    const result = original(payload);
    window.sessionStorage.setItem(storageKey, JSON.stringify(system.authSelectors.authorized().toJS()));
    return result;
  };
  return { statePlugins: { auth: { wrapActions: { authorize: remember, logout: remember } } } };
};

/** A layout without an introduction and a `<main>`, which the page has already. */
const layoutOfPage = ({ React, getComponent }: SwaggerUISystem) => {
  const parts = ['SvgAssets', 'AuthorizeBtnContainer', 'errors', 'operations', 'Models'];
  return {
    components: {
      PageLayout: () =>
        React.createElement(
          'div',
          { className: 'swagger-ui' },
          ...parts.map((part) => React.createElement(getComponent(part, true), { key: part })),
        ),
    },
    wrapComponents: {
      // Swagger UI puts a link into a button.
      DeepLink: () => (properties: { text: unknown }) => React.createElement('span', null, properties.text),
    },
  };
};

/** Leaves the refresh cookie out of the authorization dialog, because pages can't set it. */
const settableCredentials = () => {
  const leaveOutCookie =
    (original: (state: unknown) => SecuritySchemes) =>
    (state: unknown): SecuritySchemes =>
      original(state).filter((scheme) => !scheme.has('RefreshCookie'));
  return { statePlugins: { auth: { wrapSelectors: { definitionsToAuthorize: leaveOutCookie } } } };
};

/** Leaves optional fields of forms empty, and doesn't send them. Swagger UI would send random text that fits. */
const emptyOptionalFields = ({ React }: SwaggerUISystem) => ({
  wrapComponents: {
    JsonSchemaForm: (Field: unknown) => (properties: FieldProperties) => {
      const { required = false, dispatchInitialValue } = properties;
      return React.createElement(Field, {
        ...properties,
        dispatchInitialValue: dispatchInitialValue && required,
      });
    },
    ParameterIncludeEmpty: (Box: unknown) => (properties: FieldProperties) =>
      React.createElement(Box, {
        ...properties,
        isIncludedOptions: { ...properties.isIncludedOptions, defaultValue: false },
      }),
  },
});

/** Keeps Swagger UI from scrolling to the top: it looks for the operation in the URL before it's in the page. */
const noScrolling = () => ({
  statePlugins: { layout: { wrapActions: { scrollToElement: () => () => () => undefined } } },
});

const fastResolver = () => ({
  fn: {
    resolveSubtree: (...[document, path]: Parameters<typeof resolveSubtree>) =>
      Promise.resolve({ errors: [], spec: resolveSubtree(document, path) }),
  },
});

interface MountOptions {
  /** Has the plain list of operations, which the reference replaces. */
  page: HTMLElement;
  /** The id of the section to render first. */
  first: string;
  /** Called once the first operations can be shown. */
  onComplete: () => void;
}

/**
 * Mounts the interactive reference.
 *
 * @param description the OpenAPI document
 * @returns renders the section with an id before its turn
 */
export function mountReference(
  place: HTMLElement,
  description: object,
  { page, first, onComplete }: MountOptions,
): (id: string) => void {
  completeAttributes(place);
  const sections = new GradualSections(page, first);
  const ui = SwaggerUI({
    domNode: place,
    layout: 'PageLayout',
    presets: [SwaggerUI.presets.apis],
    plugins: [
      rememberAuthorization,
      settableCredentials,
      layoutOfPage,
      emptyOptionalFields,
      noScrolling,
      fastResolver,
      sections.plugin,
    ],
    deepLinking: true,
    displayRequestDuration: true,
    validatorUrl: null,
  });
  ui.specActions.updateUrl('/openapi.json');
  // Swagger UI itself would read the document as YAML, which takes longer than everything else.
  ui.specActions.updateJsonSpec(toImmutable(description));
  ui.specActions.updateLoadingStatus('success');
  const authorized = window.sessionStorage.getItem(storageKey);
  if (authorized !== null) ui.authActions.restoreAuthorization({ authorized: JSON.parse(authorized) as object });
  setTimeout(onComplete);
  return (id) => sections.render(id);
}
