import { Injectable, type OnApplicationBootstrap, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/internal';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { type Access, accessMetadata } from './declare-access.js';

/** A route and its declared access. */
export interface RouteAccess {
  /** Such as `POST /api-keys`. */
  route: string;
  access: Access | undefined;
  /** The method that answers, with whatever else it declares. */
  handler: object;
}

/** A provider that registers routes on Fastify itself. */
export interface RouteRegistrar {
  declaredRoutes(): RouteAccess[];
}

/** Marks a `RouteRegistrar`, so that the access of its routes is checked as well. */
export const RegistersRoutes = DiscoveryService.createDecorator();

/** Makes the application refuse to start while a route does not say who may call it. */
@Injectable()
export class AccessCheckService implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onApplicationBootstrap(): void {
    const open = this.routes().filter(({ access }) => access === undefined);
    if (open.length === 0) return;
    const names = open.map(({ route }) => route).join(', ');
    throw new Error(`Declare who may call ${names}: @RequirePermission('…'), @SignedIn() or @Public().`);
  }

  /** Every route of every controller and route registrar. */
  routes(): RouteAccess[] {
    const registrars = this.discovery.getProviders({ metadataKey: RegistersRoutes.KEY });
    const registered = registrars.flatMap(({ instance }) => (instance as RouteRegistrar).declaredRoutes());
    return [...this.controllerRoutes(), ...registered];
  }

  private controllerRoutes(): RouteAccess[] {
    return this.discovery.getControllers().flatMap(({ metatype, instance }) => {
      const prototype: unknown = metatype?.prototype ?? Object.getPrototypeOf(instance);
      if (typeof prototype !== 'object' || prototype === null || metatype === null) return [];
      const controllerPath = Reflect.getMetadata(PATH_METADATA, metatype) as string;
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const handler: unknown = Reflect.get(prototype, name);
        return typeof handler === 'function' ? describeRoute(controllerPath, handler) : [];
      });
    });
  }
}

function describeRoute(controllerPath: string, handler: object): RouteAccess[] {
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
  if (method === undefined) return [];
  const handlerPath = Reflect.getMetadata(PATH_METADATA, handler) as string;
  const path = [controllerPath, handlerPath]
    .map((part) => part.replace(/^\/+|\/+$/g, ''))
    .filter((part) => part !== '')
    .join('/');
  return [
    {
      route: `${RequestMethod[method]} /${path}`,
      access: Reflect.getMetadata(accessMetadata, handler) as Access | undefined,
      handler,
    },
  ];
}
