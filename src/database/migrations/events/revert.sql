drop function dispatch_events;
drop table expiry_notices, webhook_deliveries, webhooks, events;
