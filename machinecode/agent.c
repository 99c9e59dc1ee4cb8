/*
 * A JVMTI agent that writes down what the JIT compilers make: for every compiled method its machine
 * code, for every place in the code the methods and bytecodes it came from (inlined ones too), the
 * bytecode of those methods, and the names of the JVM's own stubs. Jumps.java reads it.
 *
 * One record a line, fields parted by tabs:
 *
 *   M id class name signature modifiers bytecode(hex) lines(bci:line,...)
 *   S name address length
 *   C method-id address code(hex)
 *   P address method-id:bci,...      the innermost method first; belongs to the C line above
 */
#include <inttypes.h>
#include <jvmti.h>
#include <jvmticmlr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *out;
static jrawMonitorID lock;
static jmethodID *seen;
static int seen_count;
static int seen_room;

static void hex(const unsigned char *bytes, jint n) {
    for (jint i = 0; i < n; i++) {
        fprintf(out, "%02x", bytes[i]);
    }
}

/* The number of a method; writes its M line the first time. */
static int method(jvmtiEnv *jvmti, jmethodID id) {
    for (int i = 0; i < seen_count; i++) {
        if (seen[i] == id) {
            return i;
        }
    }
    if (seen_count == seen_room) {
        seen_room = 2 * seen_room + 64;
        seen = realloc(seen, seen_room * sizeof *seen);
        if (seen == NULL) {
            abort();
        }
    }
    seen[seen_count] = id;
    jclass holder;
    char *class_name = NULL;
    char *name = NULL;
    char *signature = NULL;
    if ((*jvmti)->GetMethodDeclaringClass(jvmti, id, &holder) == JVMTI_ERROR_NONE) {
        (*jvmti)->GetClassSignature(jvmti, holder, &class_name, NULL);
    }
    (*jvmti)->GetMethodName(jvmti, id, &name, &signature, NULL);
    jint modifiers = 0;
    (*jvmti)->GetMethodModifiers(jvmti, id, &modifiers);
    fprintf(out, "M\t%d\t%s\t%s\t%s\t%d\t", seen_count, class_name ? class_name : "?",
            name ? name : "?", signature ? signature : "?", (int) modifiers);
    jint n;
    unsigned char *bytecode;
    if ((*jvmti)->GetBytecodes(jvmti, id, &n, &bytecode) == JVMTI_ERROR_NONE) {
        hex(bytecode, n);
        (*jvmti)->Deallocate(jvmti, bytecode);
    }
    fputc('\t', out);
    jvmtiLineNumberEntry *lines;
    if ((*jvmti)->GetLineNumberTable(jvmti, id, &n, &lines) == JVMTI_ERROR_NONE) {
        for (jint i = 0; i < n; i++) {
            fprintf(out, "%s%ld:%d", i ? "," : "", (long) lines[i].start_location,
                    (int) lines[i].line_number);
        }
        (*jvmti)->Deallocate(jvmti, (unsigned char *) lines);
    }
    fputc('\n', out);
    (*jvmti)->Deallocate(jvmti, (unsigned char *) class_name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *) name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *) signature);
    return seen_count++;
}

static void JNICALL compiled(jvmtiEnv *jvmti, jmethodID id, jint size, const void *code,
        jint map_length, const jvmtiAddrLocationMap *map, const void *info) {
    (void) map_length;
    (void) map;
    (*jvmti)->RawMonitorEnter(jvmti, lock);
    int root = method(jvmti, id);
    const jvmtiCompiledMethodLoadInlineRecord *inlined = NULL;
    for (const jvmtiCompiledMethodLoadRecordHeader *h = info; h != NULL; h = h->next) {
        if (h->kind == JVMTI_CMLR_INLINE_INFO) {
            inlined = (const jvmtiCompiledMethodLoadInlineRecord *) h;
        }
    }
    /* All M lines before the C line, so that its P lines follow it. */
    for (jint i = 0; inlined != NULL && i < inlined->numpcs; i++) {
        for (jint k = 0; k < inlined->pcinfo[i].numstackframes; k++) {
            method(jvmti, inlined->pcinfo[i].methods[k]);
        }
    }
    fprintf(out, "C\t%d\t%" PRIxPTR "\t", root, (uintptr_t) code);
    hex(code, size);
    fputc('\n', out);
    for (jint i = 0; inlined != NULL && i < inlined->numpcs; i++) {
        const PCStackInfo *pc = &inlined->pcinfo[i];
        fprintf(out, "P\t%" PRIxPTR "\t", (uintptr_t) pc->pc);
        for (jint k = 0; k < pc->numstackframes; k++) {
            fprintf(out, "%s%d:%d", k ? "," : "", method(jvmti, pc->methods[k]),
                    (int) pc->bcis[k]);
        }
        fputc('\n', out);
    }
    (*jvmti)->RawMonitorExit(jvmti, lock);
}

static void JNICALL stub(jvmtiEnv *jvmti, const char *name, const void *address, jint length) {
    (*jvmti)->RawMonitorEnter(jvmti, lock);
    fprintf(out, "S\t%s\t%" PRIxPTR "\t%d\n", name, (uintptr_t) address, (int) length);
    (*jvmti)->RawMonitorExit(jvmti, lock);
}

/* The stubs that are there before any agent. */
static void JNICALL started(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread) {
    (void) jni;
    (void) thread;
    (*jvmti)->GenerateEvents(jvmti, JVMTI_EVENT_DYNAMIC_CODE_GENERATED);
}

static void JNICALL ended(jvmtiEnv *jvmti, JNIEnv *jni) {
    (void) jni;
    (*jvmti)->RawMonitorEnter(jvmti, lock);
    fflush(out);
    (*jvmti)->RawMonitorExit(jvmti, lock);
}

/* The option is the file to write. */
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void) reserved;
    jvmtiEnv *jvmti;
    if ((*vm)->GetEnv(vm, (void **) &jvmti, JVMTI_VERSION_11) != JNI_OK) {
        return JNI_ERR;
    }
    out = fopen(options, "w");
    if (out == NULL) {
        perror(options);
        return JNI_ERR;
    }
    jvmtiCapabilities wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_generate_compiled_method_load_events = 1;
    wanted.can_get_bytecodes = 1;
    wanted.can_get_line_numbers = 1;
    jvmtiEventCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.CompiledMethodLoad = compiled;
    callbacks.DynamicCodeGenerated = stub;
    callbacks.VMInit = started;
    callbacks.VMDeath = ended;
    const jvmtiEvent events[] = {JVMTI_EVENT_COMPILED_METHOD_LOAD,
        JVMTI_EVENT_DYNAMIC_CODE_GENERATED, JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH};
    jvmtiError error = (*jvmti)->CreateRawMonitor(jvmti, "machine code", &lock);
    if (!error) error = (*jvmti)->AddCapabilities(jvmti, &wanted);
    if (!error) error = (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks);
    for (size_t i = 0; !error && i < sizeof events / sizeof *events; i++) {
        error = (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, events[i], NULL);
    }
    return error ? JNI_ERR : JNI_OK;
}
