BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0002');
CREATE TABLE conversation_items (
	workspace_id INTEGER NOT NULL, 
	conversation_id VARCHAR(36) NOT NULL, 
	ordinal INTEGER NOT NULL, 
	digest BLOB NOT NULL, 
	PRIMARY KEY (workspace_id, conversation_id, ordinal)
);
INSERT INTO "conversation_items" VALUES(1,'3f614370-19bc-4dc3-b253-7e8b146c0f72',0,X'6023F1365BCB15338DAF1BF5529C8B7C');
INSERT INTO "conversation_items" VALUES(1,'3f614370-19bc-4dc3-b253-7e8b146c0f72',1,X'AE98F2EFB74AE0A2BD1CFCC4E4CC251E');
INSERT INTO "conversation_items" VALUES(1,'3f614370-19bc-4dc3-b253-7e8b146c0f72',2,X'7D5A929481642652099F690DDED1D8C8');
INSERT INTO "conversation_items" VALUES(1,'11cb44d3-7a6c-46e5-8a03-1c4be08c65ee',0,X'4D18C946D239F07C92DE31DEE6971547');
INSERT INTO "conversation_items" VALUES(1,'11cb44d3-7a6c-46e5-8a03-1c4be08c65ee',1,X'5B418384F2E172D53A0673B28579600A');
INSERT INTO "conversation_items" VALUES(1,'11cb44d3-7a6c-46e5-8a03-1c4be08c65ee',2,X'E94A0098654089F1F4C1B276DA72820A');
INSERT INTO "conversation_items" VALUES(2,'3a1817d4-c798-460c-aff9-3a9c3c9433c4',0,X'8DBA11555505FDECD6D73CF3546C05CB');
INSERT INTO "conversation_items" VALUES(2,'3a1817d4-c798-460c-aff9-3a9c3c9433c4',1,X'559546A452786E3C8FF0C6D6073F694F');
INSERT INTO "conversation_items" VALUES(2,'3a1817d4-c798-460c-aff9-3a9c3c9433c4',2,X'EE169499373FA01CE51855BCAC3B5A1F');
CREATE TABLE conversations (
	workspace_id INTEGER NOT NULL, 
	id VARCHAR(36) NOT NULL, 
	items INTEGER NOT NULL, 
	last_episode VARCHAR(36), 
	turn_digest BLOB, 
	turn_flags TEXT NOT NULL, 
	next_flags TEXT NOT NULL, 
	PRIMARY KEY (workspace_id, id), 
	FOREIGN KEY(workspace_id) REFERENCES workspaces (id)
);
INSERT INTO "conversations" VALUES(1,'3f614370-19bc-4dc3-b253-7e8b146c0f72',3,'32c01db9-42aa-4a63-b39d-da6389334dd8',X'6023F1365BCB15338DAF1BF5529C8B7C0001','[]','[]');
INSERT INTO "conversations" VALUES(1,'11cb44d3-7a6c-46e5-8a03-1c4be08c65ee',3,'ec1585b7-5ebd-4114-a6d4-00c32ce2ff85',X'4D18C946D239F07C92DE31DEE69715470001','[]','[]');
INSERT INTO "conversations" VALUES(2,'3a1817d4-c798-460c-aff9-3a9c3c9433c4',3,'3c339c7d-d1a0-4b90-99bd-264b73bb5939',X'8DBA11555505FDECD6D73CF3546C05CB0001','[]','[]');
CREATE TABLE event_paths (
	workspace_id INTEGER NOT NULL, 
	path TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	PRIMARY KEY (workspace_id, path, seq), 
	FOREIGN KEY(workspace_id) REFERENCES workspaces (id)
)
 WITHOUT ROWID

;
INSERT INTO "event_paths" VALUES(1,'geo.py',2);
INSERT INTO "event_paths" VALUES(1,'geo.py',4);
INSERT INTO "event_paths" VALUES(2,'api.py',2);
CREATE TABLE events (
	workspace_id INTEGER NOT NULL, 
	seq INTEGER NOT NULL, 
	episode_id VARCHAR(36), 
	at VARCHAR(24) NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	body TEXT NOT NULL, 
	prev_hash VARCHAR(64) NOT NULL, 
	hash VARCHAR(64) NOT NULL, 
	PRIMARY KEY (workspace_id, seq), 
	FOREIGN KEY(workspace_id) REFERENCES workspaces (id)
);
INSERT INTO "events" VALUES(1,1,NULL,'2026-11-22T06:38:32.022Z','workspace.opened','{"name":"w","tenant":"local"}','0000000000000000000000000000000000000000000000000000000000000000','c3a8084d24bdcf652a8c92b7cd79ae2fd573630c7d7de574dea74e28f81047d7');
INSERT INTO "events" VALUES(1,2,'32c01db9-42aa-4a63-b39d-da6389334dd8','2026-11-22T06:38:32.104Z','evidence.judged','{"carrier":"fence","grant":"structural-parity","moves":[{"artifact":"f93267980cb4d3cd014f30cd31f3c0625de156f15f11b1868dd3064a871020a1","confidence":"CONFIRMED","entity":"geo.py","op":"promote","reason":"structural-parity","source":"AST"},{"artifact":"85d8f2103baa69f3b550913f97721000b8e4b95b5fe5b1b9ca2fe1bdb96b5620","confidence":"CONFIRMED","entity":"geo.py::area_of","op":"promote","reason":"structural-parity","source":"AST"},{"artifact":"9ce24015ab7dd331a5ce93f65b0f57e920aafc6fa44a5c7a17e7920bc3687cd2","confidence":"CONFIRMED","entity":"geo.py::edge_of","op":"promote","reason":"structural-parity","source":"AST"}],"origin":"model","path":"geo.py"}','c3a8084d24bdcf652a8c92b7cd79ae2fd573630c7d7de574dea74e28f81047d7','17710ce06ae669215fd81bf0ca2c54e68bde15c18a48933fde552c2345d17346');
INSERT INTO "events" VALUES(1,3,'32c01db9-42aa-4a63-b39d-da6389334dd8','2026-11-22T06:38:32.104Z','episode.recorded','{"answer":"eb8e2da6185fb46d3d5d26d809880f7e536b32a41621468a8042317ddc866f94","call_type":"acompletion","complete":true,"conversation":"3f614370-19bc-4dc3-b253-7e8b146c0f72","finish":"stop","hydrated":[],"model":"openai","notices":0,"prompt":"541771b6058f5fc133dfbee34323b0f4d5debd3b37bc2366e49f44189076dd62","side":false,"started_at":"2026-11-22T06:38:31.370Z"}','17710ce06ae669215fd81bf0ca2c54e68bde15c18a48933fde552c2345d17346','728604259585397413f1277fcc2f94352628a972f79dff9deb751c06cd7ee9b9');
INSERT INTO "events" VALUES(1,4,'ec1585b7-5ebd-4114-a6d4-00c32ce2ff85','2026-11-22T06:38:36.465Z','evidence.judged','{"carrier":"fence","grant":"user-write-head","moves":[{"artifact":"260e8f0a49d72bcca7c22b142426cf0907802f4fc04a877522f1cb59bbb6bed4","confidence":"CONFIRMED","entity":"geo.py","op":"promote","reason":"user-write-head","replaces":"f93267980cb4d3cd014f30cd31f3c0625de156f15f11b1868dd3064a871020a1","source":"AST"},{"artifact":"2f1078130d25bfe5d017abb26921b6f70966c1ec36aa39607e28b93b1472d479","confidence":"CONFIRMED","entity":"geo.py::area_of","op":"promote","reason":"user-write-head","replaces":"85d8f2103baa69f3b550913f97721000b8e4b95b5fe5b1b9ca2fe1bdb96b5620","source":"AST"},{"artifact":"849333c3c9c33d6736731f042bf97e08424b5659a133fffb69758c62b3439f71","confidence":"CONFIRMED","entity":"geo.py::edge_of","op":"promote","reason":"user-write-head","replaces":"9ce24015ab7dd331a5ce93f65b0f57e920aafc6fa44a5c7a17e7920bc3687cd2","source":"AST"}],"origin":"user","path":"geo.py"}','728604259585397413f1277fcc2f94352628a972f79dff9deb751c06cd7ee9b9','f4e4f25d7b640c537aef3d0ee6a4ae9ddf5b435655deee427d747f92c1ad47ae');
INSERT INTO "events" VALUES(1,5,'ec1585b7-5ebd-4114-a6d4-00c32ce2ff85','2026-11-22T06:38:36.599Z','episode.recorded','{"answer":"5f9a2b795615ba6a3d5455fd5624d773fbca5bcd16249c421fd37411dc9837da","call_type":"acompletion","complete":true,"conversation":"11cb44d3-7a6c-46e5-8a03-1c4be08c65ee","finish":"stop","hydrated":[],"model":"openai","notices":0,"prompt":"d487bdcc1cd68df715242233d1bc400c78b241e7a2d2d29507f3ef203b07441d","side":false,"started_at":"2026-11-22T06:38:36.430Z"}','f4e4f25d7b640c537aef3d0ee6a4ae9ddf5b435655deee427d747f92c1ad47ae','54f19795fca6c3fd46e608f116f30bad9e5c57e396639573f467545576cb51a3');
INSERT INTO "events" VALUES(2,1,NULL,'2026-11-22T06:38:37.078Z','workspace.opened','{"name":"other","tenant":"local"}','0000000000000000000000000000000000000000000000000000000000000000','a19b4e403dafa5ee4542bad1378dcfc7b164d108a2e05a7efc395f315f6fe387');
INSERT INTO "events" VALUES(2,2,'3c339c7d-d1a0-4b90-99bd-264b73bb5939','2026-11-22T06:38:37.079Z','evidence.judged','{"carrier":"fence","grant":"structural-parity","moves":[{"artifact":"345a09077e88e5b84f401d3d3e82aee36008984b51eab4f049c08e4362539d3c","confidence":"CONFIRMED","entity":"api.py","op":"promote","reason":"structural-parity","source":"AST"},{"artifact":"fefb58f29b1a4e8a9ffa6f47428ce93ca06414c72d0277c3aaec0c7329d7aec4","confidence":"CONFIRMED","entity":"api.py::hello","op":"promote","reason":"structural-parity","source":"AST"}],"origin":"model","path":"api.py"}','a19b4e403dafa5ee4542bad1378dcfc7b164d108a2e05a7efc395f315f6fe387','f73f9f6431dae558dfd03298a7dcb2ce76a72e041968f9069a39414e08d2ccb9');
INSERT INTO "events" VALUES(2,3,'3c339c7d-d1a0-4b90-99bd-264b73bb5939','2026-11-22T06:38:37.079Z','episode.recorded','{"answer":"140e9e093ac4051b29540e444f40efa18402246d659d8549baa0a49a35ab3c2f","call_type":"acompletion","complete":true,"conversation":"3a1817d4-c798-460c-aff9-3a9c3c9433c4","finish":"stop","hydrated":[],"model":"openai","notices":0,"prompt":"29c503e3c9d5490c876a36c1b9f8138f32f4c876a2e21468d0f96c6786f8fe2b","side":false,"started_at":"2026-11-22T06:38:36.990Z"}','f73f9f6431dae558dfd03298a7dcb2ce76a72e041968f9069a39414e08d2ccb9','fb5c39e5ff5a84dc149c8aeec6b84a5aa7e22f997e117fdaf1e41389105f5d9d');
CREATE TABLE state_map (
	workspace_id INTEGER NOT NULL, 
	entity TEXT NOT NULL, 
	path TEXT NOT NULL, 
	basename TEXT NOT NULL, 
	symbol TEXT, 
	leaf TEXT, 
	artifact VARCHAR(64) NOT NULL, 
	freshness VARCHAR(8) NOT NULL, 
	source VARCHAR(8) NOT NULL, 
	updated_at VARCHAR(24) NOT NULL, 
	PRIMARY KEY (workspace_id, entity), 
	FOREIGN KEY(workspace_id) REFERENCES workspaces (id)
);
INSERT INTO "state_map" VALUES(1,'geo.py','geo.py','geo.py',NULL,NULL,'260e8f0a49d72bcca7c22b142426cf0907802f4fc04a877522f1cb59bbb6bed4','CLEAN','AST','2026-11-22T06:38:36.465Z');
INSERT INTO "state_map" VALUES(1,'geo.py::area_of','geo.py','geo.py','area_of','area_of','2f1078130d25bfe5d017abb26921b6f70966c1ec36aa39607e28b93b1472d479','CLEAN','AST','2026-11-22T06:38:36.465Z');
INSERT INTO "state_map" VALUES(1,'geo.py::edge_of','geo.py','geo.py','edge_of','edge_of','849333c3c9c33d6736731f042bf97e08424b5659a133fffb69758c62b3439f71','CLEAN','AST','2026-11-22T06:38:36.465Z');
INSERT INTO "state_map" VALUES(2,'api.py','api.py','api.py',NULL,NULL,'345a09077e88e5b84f401d3d3e82aee36008984b51eab4f049c08e4362539d3c','CLEAN','AST','2026-11-22T06:38:37.079Z');
INSERT INTO "state_map" VALUES(2,'api.py::hello','api.py','api.py','hello','hello','fefb58f29b1a4e8a9ffa6f47428ce93ca06414c72d0277c3aaec0c7329d7aec4','CLEAN','AST','2026-11-22T06:38:37.079Z');
CREATE TABLE tombstones (
	workspace_id INTEGER NOT NULL, 
	entity TEXT NOT NULL, 
	artifact VARCHAR(64) NOT NULL, 
	since VARCHAR(24) NOT NULL, 
	episode INTEGER NOT NULL, 
	PRIMARY KEY (workspace_id, entity), 
	FOREIGN KEY(workspace_id) REFERENCES workspaces (id)
);
CREATE TABLE vault (
	hash VARCHAR(64) NOT NULL, 
	encoding VARCHAR(8) NOT NULL, 
	body BLOB NOT NULL, 
	crc BIGINT NOT NULL, 
	PRIMARY KEY (hash)
);
INSERT INTO "vault" VALUES('f93267980cb4d3cd014f30cd31f3c0625de156f15f11b1868dd3064a871020a1','utf-8',X'696D706F7274206D6174680A0A0A64656620617265615F6F662872293A0A2020202072657475726E206D6174682E7069202A2072202A2072202B20310A0A0A64656620656467655F6F662872293A0A2020202072657475726E2072202B20310A',154651668);
INSERT INTO "vault" VALUES('85d8f2103baa69f3b550913f97721000b8e4b95b5fe5b1b9ca2fe1bdb96b5620','slice',X'663933323637393830636234643363643031346633306364333166336330363235646531353666313566313162313836386464333036346138373130323061313A31343A3630',1242605511);
INSERT INTO "vault" VALUES('9ce24015ab7dd331a5ce93f65b0f57e920aafc6fa44a5c7a17e7920bc3687cd2','slice',X'663933323637393830636234643363643031346633306364333166336330363235646531353666313566313162313836386464333036346138373130323061313A36333A3935',2450893614);
INSERT INTO "vault" VALUES('541771b6058f5fc133dfbee34323b0f4d5debd3b37bc2366e49f44189076dd62','utf-8',X'57726974652067656F2E7079',1064764051);
INSERT INTO "vault" VALUES('260e8f0a49d72bcca7c22b142426cf0907802f4fc04a877522f1cb59bbb6bed4','utf-8',X'696D706F7274206D6174680A0A0A64656620617265615F6F662872293A0A2020202072657475726E206D6174682E7069202A2072202A2072202B20320A0A0A64656620656467655F6F662872293A0A2020202072657475726E2072202B20320A',2021367991);
INSERT INTO "vault" VALUES('2f1078130d25bfe5d017abb26921b6f70966c1ec36aa39607e28b93b1472d479','slice',X'323630653866306134396437326263636137633232623134323432366366303930373830326634666330346138373735323266316362353962626236626564343A31343A3630',695123495);
INSERT INTO "vault" VALUES('849333c3c9c33d6736731f042bf97e08424b5659a133fffb69758c62b3439f71','slice',X'323630653866306134396437326263636137633232623134323432366366303930373830326634666330346138373735323266316362353962626236626564343A36333A3935',4050367182);
INSERT INTO "vault" VALUES('d487bdcc1cd68df715242233d1bc400c78b241e7a2d2d29507f3ef203b07441d','utf-8',X'67656F2E70790A0A0A0A0A0A0A0A0A0A0A0A0A4B65657020746869732E',2965006203);
INSERT INTO "vault" VALUES('345a09077e88e5b84f401d3d3e82aee36008984b51eab4f049c08e4362539d3c','utf-8',X'6465662068656C6C6F28293A0A2020202072657475726E20310A',2563311658);
INSERT INTO "vault" VALUES('fefb58f29b1a4e8a9ffa6f47428ce93ca06414c72d0277c3aaec0c7329d7aec4','slice',X'333435613039303737653838653562383466343031643364336538326165653336303038393834623531656162346630343963303865343336323533396433633A303A3235',67113814);
INSERT INTO "vault" VALUES('29c503e3c9d5490c876a36c1b9f8138f32f4c876a2e21468d0f96c6786f8fe2b','utf-8',X'5772697465206170692E7079',1682286240);
CREATE TABLE workspaces (
	id INTEGER NOT NULL, 
	tenant VARCHAR(255) NOT NULL, 
	name TEXT NOT NULL, 
	head_seq INTEGER NOT NULL, 
	head_hash VARCHAR(64) NOT NULL, 
	episodes INTEGER NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT uq_workspaces_tenant_name UNIQUE (tenant, name)
);
INSERT INTO "workspaces" VALUES(1,'local','w',5,'54f19795fca6c3fd46e608f116f30bad9e5c57e396639573f467545576cb51a3',2);
INSERT INTO "workspaces" VALUES(2,'local','other',3,'fb5c39e5ff5a84dc149c8aeec6b84a5aa7e22f997e117fdaf1e41389105f5d9d',1);
CREATE INDEX ix_events_episode ON events (workspace_id, episode_id);
CREATE INDEX ix_events_kind ON events (workspace_id, kind, seq);
CREATE INDEX ix_state_map_path ON state_map (workspace_id, path);
CREATE INDEX ix_state_map_basename ON state_map (workspace_id, basename);
CREATE INDEX ix_state_map_leaf ON state_map (workspace_id, leaf);
CREATE INDEX ix_conversation_items_digest ON conversation_items (workspace_id, digest);
CREATE TRIGGER vault_no_update BEFORE UPDATE ON vault BEGIN SELECT RAISE(ABORT, 'vault is append-only'); END;
CREATE TRIGGER vault_no_delete BEFORE DELETE ON vault BEGIN SELECT RAISE(ABORT, 'vault is append-only'); END;
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;
CREATE TRIGGER vault_no_replace BEFORE INSERT ON vault WHEN EXISTS (SELECT 1 FROM vault WHERE hash = NEW.hash) BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER events_no_replace BEFORE INSERT ON events WHEN EXISTS (SELECT 1 FROM events WHERE workspace_id = NEW.workspace_id AND seq = NEW.seq) BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;
COMMIT;
