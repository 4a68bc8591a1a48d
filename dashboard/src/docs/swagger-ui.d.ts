declare module 'swagger-ui/dist/swagger-ui.css';

declare module 'swagger-ui' {
  interface SwaggerUIInstance {
    authActions: { restoreAuthorization: (payload: { authorized: object }) => void };
    specActions: {
      /** Of the document, which relative URLs of servers start from. */
      updateUrl: (url: string) => void;
      /** @param description the OpenAPI document, converted by `toImmutable` or not */
      updateJsonSpec: (description: unknown) => void;
      updateLoadingStatus: (status: 'success') => void;
    };
  }

  /** A list with a map of one name and security scheme for each. */
  export interface SecuritySchemes {
    filter: (isKept: (scheme: { has: (name: string) => boolean }) => boolean) => SecuritySchemes;
  }

  /** Properties of a field of a form, and of the box that says to send it although it's empty. */
  export interface FieldProperties {
    required?: boolean;
    /** Whether to start with an example; undefined outside forms. */
    dispatchInitialValue?: boolean;
    isIncludedOptions?: { defaultValue?: boolean };
  }

  /** What plugins get. */
  export interface SwaggerUISystem {
    React: {
      createElement: (type: unknown, properties: object | null, ...children: unknown[]) => unknown;
      useEffect: (effect: () => void, dependencies: readonly unknown[]) => void;
      useSyncExternalStore: <Value>(subscribe: (onChange: () => void) => () => void, read: () => Value) => Value;
    };
    /** @param isContainer whether the component reads the state */
    getComponent: (name: string, isContainer?: boolean) => unknown;
    authSelectors: { authorized: () => { toJS: () => object } };
  }

  interface SwaggerUIOptions {
    domNode: HTMLElement;
    layout: 'PageLayout';
    presets: readonly unknown[];
    plugins: readonly ((system: SwaggerUISystem) => object)[];
    deepLinking: boolean;
    displayRequestDuration: boolean;
    validatorUrl: null;
  }

  const SwaggerUI: ((options: SwaggerUIOptions) => SwaggerUIInstance) & { presets: { apis: unknown } };
  export default SwaggerUI;
}
